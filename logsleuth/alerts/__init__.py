"""Who is told of a verdict while the job runs, and how?"""
