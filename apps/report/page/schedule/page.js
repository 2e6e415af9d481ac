// The page of a schedule: nothing can be chosen but the theme.

beginPlain();
