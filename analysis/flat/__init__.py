"""FlatBuffers of unknown origin: reading them within bounds, and laying them out anew with other contents."""
