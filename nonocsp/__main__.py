"""Run the command line: ``python -m nonocsp``."""

from nonocsp.cli import main

if __name__ == "__main__":
    main()
