"""Helps people who write rules: tells of rules, makes new ones, lays them out, colours them."""
