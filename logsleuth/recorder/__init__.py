"""What torch's flight recorder left behind: dumps of all ranks, laid beside each other and told as lines."""
