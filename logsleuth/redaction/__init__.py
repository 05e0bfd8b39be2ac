"""What in a log says where and whose it is, and names without meaning in its place."""
