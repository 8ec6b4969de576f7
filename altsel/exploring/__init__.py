"""The explorer: a question about feature sets that is changed by clicks, and answered with proofs at once.

A `Session` answers messages and knows nothing of its host; a worker process runs it, so that an answer can be
stopped; hosts are a server for one browser, and a widget in notebooks. Both show the same script.
"""
