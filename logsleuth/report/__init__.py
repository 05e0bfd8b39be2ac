"""Renders an analysis for people and for programs. Imports only the model."""
