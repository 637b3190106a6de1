"""The invented work that the sample shows: who did what, in which order, and what the tools answered."""
