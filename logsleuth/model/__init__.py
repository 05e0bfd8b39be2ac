"""What flows through the program. Imports nothing of ours."""
