"""What is there to follow, and what has come since?"""
