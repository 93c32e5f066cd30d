"""The gallery in docs/: what each reported bug looks like in a timeline, with its fault planted."""
