"""One file a client of vendors. None of them is imported before it is used."""
