// Values of metrics, and as text.

const metricPlace = Object.fromEntries(data.catalogue.map((row, i) => [row.key, i]));
const metric = (kernel, key) => kernel.metrics[metricPlace[key]];
const wholeFormat = new Intl.NumberFormat("en");
function valueText(value) {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? wholeFormat.format(value) : digits(value, 5);
}
