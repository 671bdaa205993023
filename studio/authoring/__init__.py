"""How a world is made and changed in the browser: its files, what is wrong with them, what can be taken back."""
