"""The worlds that are shipped: folders of authors' text."""
