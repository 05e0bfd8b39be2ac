"""``python -m logsleuth``: the same as the command ``logsleuth``."""

from logsleuth.cli.main import main

if __name__ == "__main__":
    main()
