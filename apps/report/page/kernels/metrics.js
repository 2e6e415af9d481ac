// Values of metrics: of kernels, as text, and on the scale on which kernels are compared.

const metricPlace = Object.fromEntries(data.catalogue.map((row, i) => [row.key, i]));
const metric = (kernel, key) => kernel.metrics[metricPlace[key]];
const wholeFormat = new Intl.NumberFormat("en");
function valueText(value) {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? wholeFormat.format(value) : digits(value, 5);
}

// About one metric for each aspect of a kernel: key and short name.
const {radarAxes} = data;

// Shares and entropies as they are, counts as logarithms: kernels differ in these by factors. A
// value that a kernel does not have, such as a ratio to zero, is null.
const isLinear = (key) => data.catalogue[metricPlace[key]].fraction || key.includes("entropy");
function comparable(kernel, key) {
  const value = metric(kernel, key);
  return value === null || value === undefined ? null : isLinear(key) ? value : Math.log1p(value);
}
