"""Findings: what went wrong or is doubtful, why, and what to do, as rows of data with samples."""
