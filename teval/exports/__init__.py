"""Runs in other people's layouts."""
