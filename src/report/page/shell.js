// What every page does: it keeps what was chosen in the URL's fragment, so that a link or a bookmark
// brings it back, and draws all of the page again when the choice changes.

const errors = [];
addEventListener("error", (event) => errors.push(String(event.message)));
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));

let choice = {};
let shown = null; // what `begin` was given

function remember(changes) {
  choice = { ...choice, ...changes };
  const fragment = shown.fragmentOf(choice);
  history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
}
function set(changes) {
  remember(changes);
  draw();
}

function checkbox(name, checked, onchange, title) {
  return h("label", { class: "choice", title }, h("input", { type: "checkbox", checked, onchange: (event) => onchange(event.target.checked) }), ` ${name}`);
}
// A choice among options [value, name]; numbers stay numbers.
function select(id, name, options, value) {
  return h("label", { class: "choice" }, `${name} `, h("select", { id, onchange: (event) => set({ [id]: options[event.target.selectedIndex][0] }) },
    options.map(([one, text]) => h("option", { value: one, selected: one === value }, text))));
}
// The chosen devices, choice.devices, and those that can be added.
function deviceChoice() {
  const others = data.devices.filter((device) => !choice.devices.includes(device.id));
  return h("fieldset", {}, h("legend", {}, "Devices"), choice.devices.map((id) => checkbox(id, true, () => {
    const rest = choice.devices.filter((other) => other !== id);
    if (rest.length) set({ devices: rest }); else draw();
  }, data.devices.find((device) => device.id === id).name)),
  h("select", { id: "add-device", "aria-label": "Add a device", onchange: (event) => set({ devices: [...choice.devices, event.target.value] }) },
    h("option", { value: "", selected: true, disabled: true }, "add a device …"),
    others.map((device) => h("option", { value: device.id }, `${device.id}: ${device.name}`))));
}
// The devices that a fragment names, or null.
function devicesIn(fields) {
  const list = (fields.get("d") || "").split(",").filter((id) => data.devices.some((device) => device.id === id));
  return list.length ? [...new Set(list)] : null;
}

function header(title, said, sections) {
  const dark = choice.theme ? choice.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const follow = (part) => (event) => {
    event.preventDefault();
    part.scrollIntoView();
    part.querySelector("h2").tabIndex = -1;
    part.querySelector("h2").focus({ preventScroll: true });
  };
  return h("header", {}, h("div", { class: "top" }, h("h1", {}, title), h("span", { class: "buttons" },
    h("button", { type: "button", id: "theme", onclick: () => set({ theme: dark ? "light" : "dark" }) }, dark ? "Light" : "Dark"),
    h("button", { type: "button", id: "print", onclick: () => print() }, "Print"))),
  said,
  h("nav", { "aria-label": "Sections" }, sections.map((part) => h("a", { href: `#${part.id}`, onclick: follow(part) }, part.querySelector("h2").textContent))));
}
function draw() {
  const active = document.activeElement && document.activeElement.id;
  const scroll = scrollY;
  const unfolded = [...document.querySelectorAll("details[id][open]")].map((fold) => fold.id);
  charts.length = 0;
  scrollers.length = 0;
  document.documentElement.dataset.theme = choice.theme;
  const { title, said, controls, sections, footer } = shown.content();
  const parts = sections.filter(Boolean);
  document.getElementById("page").replaceChildren(header(title, said, parts), controls, h("main", {}, parts), h("footer", {}, footer));
  for (const id of unfolded) { const fold = document.getElementById(id); if (fold) fold.open = true; }
  paint();
  for (const settle of scrollers) settle();
  scrollTo(0, scroll);
  if (active) { const again = document.getElementById(active); if (again) again.focus({ preventScroll: true }); }
}

// Draws the page, from then on whenever that is needed. `readFragment` returns the choice that the
// URL has, with `theme`; `fragmentOf` writes one; `content` returns what is drawn.
function begin(page) {
  shown = page;
  choice = shown.readFragment();
  draw();
  addEventListener("hashchange", () => { choice = shown.readFragment(); draw(); });
  let lastWidth = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== lastWidth) { lastWidth = innerWidth; paint(); } });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  // On paper, all of what is folded away is shown.
  addEventListener("beforeprint", () => { for (const fold of document.querySelectorAll("main details, .doubts")) fold.open = true; });
}
