"""Programs that run inside the sandbox. They import nothing but the standard library, and no other file here."""
