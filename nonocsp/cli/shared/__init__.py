"""What several commands share: options, values, exit codes, progress, and how a command ends."""
