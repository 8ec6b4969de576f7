"""The models that sets of features are compared by."""
