// The page of a schedule: nothing can be chosen but the theme.

beginPlain(() => ({
  title: data.title,
  said: data.said.map((text) => h("p", {}, text)),
  footer: data.footer,
}));
