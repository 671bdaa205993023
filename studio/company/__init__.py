"""A company at a moment of its calendar, as one of its people sees it, and as it truly is."""
