"""Certificates: why claims hold, written so that a program without altsel checks them exactly."""
