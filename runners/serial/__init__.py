"""Boards behind a serial port: the port, the thread that reads it, and the run made of that."""
