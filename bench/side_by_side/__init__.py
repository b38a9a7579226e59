"""Heddle side by side with its peers: one reference work, one web server, measured from outside."""
