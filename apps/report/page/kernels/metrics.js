// Values of metrics: of kernels, as text, and whether they are drawn as they are.

const metricPlace = Object.fromEntries(data.catalogue.map((row, i) => [row.key, i]));
const metric = (kernel, key) => kernel.metrics[metricPlace[key]];
const wholeFormat = new Intl.NumberFormat("en");
function valueText(value) {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? wholeFormat.format(value) : digits(value, 5);
}

// About one metric for each aspect of a kernel: key and short name.
const {radarAxes} = data;

// Shares and entropies as they are, counts as logarithms: kernels differ in these by factors.
const isLinear = (key) => data.catalogue[metricPlace[key]].fraction || key.includes("entropy");
