"""From rule text to a checked program. Knows no logs; the engine knows no syntax."""
