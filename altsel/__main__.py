"""``python -m altsel``."""

from altsel.cli.app import main

if __name__ == "__main__":
    main()
