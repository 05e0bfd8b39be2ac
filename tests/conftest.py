"""What holds for all tests."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Whoever starts the tests in the background of a shell leaves Ctrl-C ignored, and so would all that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
