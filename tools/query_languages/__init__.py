"""The search languages of four vendors: one small tree that all parse into, compiled to SQL or evaluated directly."""
