"""Where targets come from: files of entries, which of them a request means, and what is known of a place without using it."""
