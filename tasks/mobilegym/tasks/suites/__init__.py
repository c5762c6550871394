"""The templates, one module an app."""
