"""Folds events into bounded, mergeable state, and judges rules on it. Knows no syntax."""
