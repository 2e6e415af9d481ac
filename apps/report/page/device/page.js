// The page of a device: nothing can be chosen but the theme.

beginPlain(() => ({
  title: data.title,
  said: data.said.map((text) => h("p", {}, text)),
  footer: data.footer,
}));
