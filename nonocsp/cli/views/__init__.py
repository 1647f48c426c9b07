"""Print the findings of commands, as text for people and as JSON records."""
