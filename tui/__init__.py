"""The command line and the Textual app: what people see of the reports."""
