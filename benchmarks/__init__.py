"""What is claimed about speed, runnable: ``python -m benchmarks.speed`` and ``python -m benchmarks.coldstart``."""
