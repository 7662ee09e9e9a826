"""Many runs at once: how they ended, why, outliers and trends."""
