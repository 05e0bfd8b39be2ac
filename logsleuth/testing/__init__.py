"""Runs the samples and tests that rules carry; what it finds is what rule authors see."""
