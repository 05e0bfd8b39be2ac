"""What is claimed about speed, runnable: ``python -m benchmarks``."""
