// The page of a device: nothing can be chosen but the theme.

beginPlain();
