// Values of metrics: of kernels, as text, and on the scale on which kernels are compared.

const metricPlace = Object.fromEntries(data.catalogue.map((row, i) => [row.key, i]));
const metric = (kernel, key) => kernel.metrics[metricPlace[key]];
const wholeFormat = new Intl.NumberFormat("en");
function valueText(value) {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? wholeFormat.format(value) : digits(value, 5);
}

// Thirteen metrics of AIWC, about one for each aspect of a kernel, with short names.
const radarAxes = [
  ["opcode_90", "opcodes"], ["total_instruction_count", "instructions"], ["freedom_to_reorder", "freedom to reorder"],
  ["work_items", "work-items"], ["barriers_hit", "barriers"], ["itb_median", "to barrier"], ["simd_operand_sum", "SIMD operands"],
  ["footprint_bytes", "footprint"], ["global_memory_address_entropy", "address entropy"], ["local_memory_address_entropy_3", "local entropy"],
  ["unique_branches", "branches"], ["yokota_branch_entropy", "branch entropy"], ["linear_branch_entropy", "branch history"],
].filter(([key]) => key in metricPlace);

// Shares and entropies as they are, counts as logarithms: kernels differ in these by factors. A value
// that a kernel does not have, such as a ratio to zero, is null.
const isLinear = (key) => data.catalogue[metricPlace[key]].fraction || key.includes("entropy");
function comparable(kernel, key) {
  const value = metric(kernel, key);
  return value === null || value === undefined ? null : isLinear(key) ? value : Math.log1p(value);
}
