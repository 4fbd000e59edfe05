"""Takes out of arriving rows what must not be stored, before anything is written: by the user's rules, and secrets."""
