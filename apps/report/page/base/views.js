// The views of a page. Each file of the page's folder adds one under its name:
//   views.NAME = (view, say) => ({ picture, caption, above, below })
// `view` is what was chosen, and what follows from it. `picture(width)` returns an SVG element;
// `above` and `below` are elements around it. A view that has nothing to show returns null. Titles
// and sentences are written by C++ (apps/report/views): say("key", values) fills in a sentence.

const views = {};

// "{name}" is a value's text; "{name:noun|nouns}" a count with its noun.
function filledIn(text, values) {
  return text.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g,
    (_, name, noun, nouns) =>
      noun === undefined ? String(values[name]) : plural(values[name], noun, nouns));
}
function sayerOf(row) { return (key, values = {}) => filledIn(row.texts[key], values); }

// The titles of a table's columns.
const columns = (say, key = "columns") => say(key).split("|");
// What the page says besides its views.
const sayPage = sayerOf(data);

// The views that have something to show: row (of the data) and parts.
function shownViews(view) {
  const shown = data.views.filter((row) => row.name in views);
  return shown.map((row) => ({row, parts: views[row.name](view, sayerOf(row))}))
    .filter(({parts}) => parts);
}
function viewSections(view) {
  return shownViews(view).map(
    ({row, parts}) => section(row.name, row.title, parts.above,
      parts.picture ? chart(parts.picture, parts.caption) : null, parts.below));
}
