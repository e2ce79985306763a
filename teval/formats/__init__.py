"""Reading and writing answers: text to fields and back; every reader takes any text."""
