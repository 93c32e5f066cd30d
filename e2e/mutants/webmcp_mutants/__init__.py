"""Known faults of the extensions, and the scenarios that see them."""
