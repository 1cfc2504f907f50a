"""Our answers held against the official game's own: a real team replayed, the facts compared, looking ahead ruled out."""
