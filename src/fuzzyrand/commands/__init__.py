"""The commands: each module adds one to the parser, and imports what it runs only when it runs."""
