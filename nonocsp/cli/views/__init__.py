"""What commands print of their findings, as text for people and as JSON records."""
