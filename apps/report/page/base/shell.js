// What every page does: it keeps what was chosen in the URL's fragment, so that a link or a
// bookmark brings it back, and draws all of the page again when the choice changes.

const errors = [];
addEventListener("error", (event) => errors.push(String(event.message)));
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));

let choice = {};
let shown = null;  // what `begin` was given

function remember(changes) {
  choice = {...choice, ...changes};
  const fragment = shown.fragmentOf(choice);
  history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
}
function set(changes) {
  remember(changes);
  draw();
}

function checkbox(name, checked, onchange, title) {
  return h("label", {class: "choice", title},
    h("input", {type: "checkbox", checked, onchange: (event) => onchange(event.target.checked)}),
    ` ${name}`);
}
// A choice among options [value, name]; numbers stay numbers.
function select(id, name, options, value) {
  return h("label", {class: "choice"}, `${name} `,
    h("select", {id, onchange: (event) => set({[id]: options[event.target.selectedIndex][0]})},
      options.map(([one, text]) => h("option", {value: one, selected: one === value}, text))));
}
// The form in which the reader chooses what a page shows.
function choiceForm(...fields) {
  const props = {
    class: "choices",
    onsubmit: (event) => event.preventDefault(),
    "aria-label": sayPage("shown"),
  };
  return h("form", props, fields);
}
// The chosen devices, choice.devices, and those that can be added.
function deviceChoice() {
  const others = data.devices.filter((device) => !choice.devices.includes(device.id));
  return h("fieldset", {}, h("legend", {}, "Devices"),
    choice.devices.map((id) => checkbox(id, true,
                         () => {
                           const rest = choice.devices.filter((other) => other !== id);
                           if (rest.length)
                             set({devices: rest});
                           else
                             draw();
                         },
                         data.devices.find((device) => device.id === id).name)),
    h("select", {
      id: "add-device",
      "aria-label": "Add a device",
      onchange: (event) => set({devices: [...choice.devices, event.target.value]})
    },
      h("option", {value: "", selected: true, disabled: true}, "add a device …"),
      others.map((device) => h("option", {value: device.id}, `${device.id}: ${device.name}`))));
}
// The devices that a fragment names, or null.
function devicesIn(fields) {
  const list = (fields.get("d") || "")
                 .split(",")
                 .filter((id) => data.devices.some((device) => device.id === id));
  return list.length ? [...new Set(list)] : null;
}

// Why the reader may doubt what the page says: unfolded if there are few reasons.
function doubtsList(reasons) {
  if (!reasons.length) return null;
  return h("details", {class: "doubts", open: reasons.length < 4},
    h("summary", {}, sayPage("doubts", {count: reasons.length})),
    h("ul", {}, reasons.map((text) => h("li", {}, text))));
}

function header(title, said, sections) {
  const dark =
    choice.theme ? choice.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const follow = (part) => (event) => {
    event.preventDefault();
    part.scrollIntoView();
    part.querySelector("h2").tabIndex = -1;
    part.querySelector("h2").focus({preventScroll: true});
  };
  return h("header", {},
    h("div", {class: "top"}, h("h1", {}, title),
      h("span", {class: "buttons"},
        h("button",
          {type: "button", id: "theme", onclick: () => set({theme: dark ? "light" : "dark"})},
          dark ? "Light" : "Dark"),
        h("button", {type: "button", id: "print", onclick: () => print()}, "Print"))),
    said,
    h("nav", {"aria-label": "Sections"},
      sections.map((part) => h("a", {href: `#${part.id}`, onclick: follow(part)},
                     part.querySelector("h2").textContent))));
}
function draw() {
  const active = document.activeElement && document.activeElement.id;
  const scroll = scrollY;
  const unfolded = [...document.querySelectorAll("details[id][open]")].map((fold) => fold.id);
  charts.length = 0;
  scrollers.length = 0;
  document.documentElement.dataset.theme = choice.theme;
  const {title, said, controls, sections, footer} = shown.content();
  const parts = sections.filter(Boolean);
  document.getElementById("page").replaceChildren(
    ...[header(title, said, parts), controls, h("main", {}, parts), h("footer", {}, footer)].filter(
      Boolean));
  for (const id of unfolded) {
    const fold = document.getElementById(id);
    if (fold) fold.open = true;
  }
  paint();
  for (const settle of scrollers) settle();
  scrollTo(0, scroll);
  if (active) {
    const again = document.getElementById(active);
    if (again) again.focus({preventScroll: true});
  }
}

// One view as a picture by itself. It says what it looks like, so it needs no page: the sheet, and
// the style with the colours of both themes in place of their names.
const pictureWidth = 900;
function themedStyle() {
  const css = document.getElementById("drawing").textContent;
  const root = document.documentElement;
  const inTheme = (theme) => {
    root.dataset.theme = theme;
    const values = getComputedStyle(root);
    return css.replace(/var\((--\w+)\)/g, (_, name) => values.getPropertyValue(name).trim());
  };
  return `${inTheme("light")}\n@media (prefers-color-scheme: dark) {\n${inTheme("dark")}\n}\n`;
}
function pictureOf(drawing, title) {
  const drawn = drawing instanceof SVGElement ? [drawing] : [...drawing.querySelectorAll("svg")];
  const margin = 12;
  let height = margin;
  for (const svg of drawn) {
    svg.setAttribute("x", margin);
    svg.setAttribute("y", height);
    height += Number(svg.getAttribute("height")) + margin;
  }
  const width = pictureWidth + 2 * margin;
  const font = {"font-family": "system-ui, 'DejaVu Sans', sans-serif", "font-size": 12};
  return s("svg",
    {viewBox: `0 0 ${width} ${Math.ceil(height)}`, width, height: Math.ceil(height), ...font},
    s("title", {}, title), s("style", {}, themedStyle()),
    s("rect", {class: "sheet", width, height: Math.ceil(height)}), drawn);
}
// The page becomes a single element with the picture, or with the reason why there is none, in a
// form that the program that has opened the page reads (report/export.cpp).
function showOnly(name) {
  const answer = (id, text) =>
    document.body.replaceChildren(h("output", {id}, encodeURIComponent(text)));
  const found = shownViews(shown.view()).find(({row}) => row.name === name);
  if (!found || !found.parts.picture)
    return answer("problem", `chart ${name}: has nothing to show here: expected another one`);
  const svg = pictureOf(found.parts.picture(pictureWidth), `${data.run}: ${found.row.title}`);
  return answer("picture", new XMLSerializer().serializeToString(svg));
}

// Draws the page, from then on whenever that is needed. `readFragment` returns the choice that the
// URL has, with `theme`; `fragmentOf` writes one; `view` returns what views are given, `content`
// what is drawn. With `chart=NAME` in the URL's fragment, only that view is shown.
function begin(page) {
  shown = page;
  choice = shown.readFragment();
  const only = new URLSearchParams(location.hash.slice(1)).get("chart");
  if (only !== null) {
    showOnly(only);
    return;
  }
  draw();
  addEventListener("hashchange", () => {
    choice = shown.readFragment();
    draw();
  });
  let lastWidth = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== lastWidth) {
      lastWidth = innerWidth;
      paint();
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  // On paper, all of what is folded away is shown.
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("main details, .doubts")) fold.open = true;
  });
}
