// What pages are made of: the data, and sections, charts and tables as elements. Charts are drawn
// once their width is known, and again if it changes.

const data = JSON.parse(document.getElementById("data").textContent);

// The probability that the first of two devices is the faster one, from their times and 80 %
// intervals, whose errors have this correlation (Comparison of predict/prediction.h).
function probabilityOfFaster(one, other, correlation) {
  const [a, b] = [one, other].map(({low, high}) => Math.log(high / low) / 2.5632);
  const ratio = one.micros / other.micros;
  const deviation = Math.sqrt(a * a + b * b - 2 * correlation * a * b);
  if (!(deviation > 0)) return ratio < 1 ? 1 : ratio > 1 ? 0 : 0.5;
  return normalTail(Math.log(ratio) / deviation);
}
// Of the standard normal distribution, beyond x: Abramowitz and Stegun, formula 26.2.17.
function normalTail(x) {
  if (x < 0) return 1 - normalTail(-x);
  const t = 1 / (1 + 0.2316419 * x);
  const sum = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce(
    (value, factor) => value * t + factor, 0);
  return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * sum * t;
}

const charts = [];
const scrollers = [];
function chart(draw, meaning) {
  const place = h("div", {class: "chart"});
  charts.push({place, draw});
  return h("figure", {}, place, h("figcaption", {}, meaning));
}
// All widths are read first: after a change of the page, reading one makes the browser lay it all
// out.
function paint() {
  const widths = charts.map(({place}) => Math.max(300, Math.min(1100, place.clientWidth || 700)));
  charts.forEach(({place, draw}, i) => place.replaceChildren(draw(widths[i])));
}
const section = (id, title, ...content) => h("section", {id, "aria-labelledby": `${id}-title`},
  h("h2", {id: `${id}-title`}, title), ...content);
const table = (head, rows, className) =>
  h("div", {class: `scroll ${className || ""}`, tabindex: 0, role: "region", "aria-label": "table"},
    h("table", {}, h("thead", {}, h("tr", {}, head.map((cell) => h("th", {scope: "col"}, cell)))),
      h("tbody", {}, rows)));
const listed = (names) => names.length < 2 ?
  names.join("") :
  `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
const plural = (count, noun, several = `${noun}s`) =>
  `${digits(count, 15)} ${count === 1 ? noun : several}`;
