"""Pictures of every page of the studio in its states, with what a machine can see wrong in them."""
