"""``python -m fuzzyrand`` runs the demonstration."""

from .demo import main

if __name__ == "__main__":
    main()
