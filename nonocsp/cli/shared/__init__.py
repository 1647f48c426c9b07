"""Parts that several commands share: options, values, exit codes, printing, saving, endings."""
