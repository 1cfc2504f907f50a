"""Our answers held against the official game's own: a real team replayed, facts compared, looking ahead ruled out."""
