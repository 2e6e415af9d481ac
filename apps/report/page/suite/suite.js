// What follows from the kernels of many programs: how far apart they are, in which directions they
// differ most, into which clusters they fall, and which of them new kernels are like.

// The metrics of AIWC that the thesis lists, and some of them.
const {thesisMetrics, fewMetrics} = data;
const metricSets = [
  {key: "aiwc", name: sayPage("thesisMetrics", {count: thesisMetrics.length}), keys: thesisMetrics},
  {key: "few", name: sayPage("fewMetrics", {count: fewMetrics.length}), keys: fewMetrics},
];
// Shares and entropies as they are, counts as logarithms: kernels differ in these by factors. A
// value that a kernel does not have, such as a ratio to zero, is null.
const isLinear = (key) => data.catalogue[metricPlace[key]].fraction || key.includes("entropy");
function comparable(kernel, key) {
  const value = metric(kernel, key);
  return value === null || value === undefined ? null : isLinear(key) ? value : Math.log1p(value);
}
const categories = ["Compute", "Parallelism", "Memory", "Control"];
const categoryOf = (key) => data.catalogue[metricPlace[key]].category;
const metricName = (key) => key.startsWith("local_memory_address_entropy") ?
  "Local Memory Address Entropy" :
  data.catalogue[metricPlace[key]].name;

data.kernels.forEach((kernel, i) => {
  kernel.place = i;
  kernel.owner = data.programs[kernel.program];
  kernel.label = `${kernel.owner.name}: ${kernel.name}`;
});
const suite = data.kernels.filter((kernel) => !kernel.owner.isNew);
const fresh = data.kernels.filter((kernel) => kernel.owner.isNew);
const suitePrograms = data.programs.filter((program) => !program.isNew);

const mostClusters = 20;
// A number of clusters is as good as the best if its mean silhouette is at most this share less.
const closeEnough = 0.1;
const ownShare = 0.95;  // of the suite's kernels, whose nearest neighbours say what is near

// Of { count, silhouette } by increasing count: the best, and the first that is as good.
const bestOf = (quality) =>
  quality.reduce((top, one) => one.silhouette > top.silhouette ? one : top);
function suggestedOf(quality) {
  const best = bestOf(quality).silhouette;
  return quality.find((one) => one.silhouette >= best - closeEnough * Math.abs(best));
}

// What the metrics `keys` say of the suite. A kernel's place in `suite` is its row in all of this.
function analysed(keys) {
  const found = principal(suite.map((kernel) => keys.map((key) => comparable(kernel, key))));
  const distances = distancesOf(found.points);
  const joins = wardTree(found.points);
  const order = leafOrder(joins, suite.length);
  const most = Math.min(mostClusters, suite.length - 1);
  const quality = [];
  for (let count = 2; count <= most; ++count)
    quality.push({count, silhouette: meanOf(silhouettes(distances, cutTree(joins, order, count)))});
  const best = bestOf(quality);
  const suggested = suggestedOf(quality);
  const nearest = distances.map((row, i) => Math.min(...row.filter((_, k) => k !== i)));
  return {
    keys,
    found,
    distances,
    joins,
    order,
    most,
    quality,
    best,
    suggested: suggested.count,
    limit: quantile(nearest, ownShare),
    usedKeys: found.kept.map((k) => keys[k])
  };
}
const analyses = new Map();
function analysisOf(keys) {
  const name = keys.join();
  if (!analyses.has(name)) analyses.set(name, analysed(keys));
  return analyses.get(name);
}

// The clusters of a cut: their members in the tree's order, the member in the middle, and the
// metrics in which they differ most from the suite, in standard deviations.
function clustersOf(analysis, count) {
  const labels = cutTree(analysis.joins, analysis.order, count);
  const fit = silhouettes(analysis.distances, labels);
  const clusters = Array.from({length: Math.max(...labels) + 1}, (_, index) => {
    const members = analysis.order.filter((i) => labels[i] === index);
    const differences =
      analysis.usedKeys
        .map((key, c) => ({key, mean: meanOf(members.map((i) => analysis.found.points[i][c]))}))
        .sort((a, b) => Math.abs(b.mean) - Math.abs(a.mean));
    return {
      index,
      members,
      medoid: medoidOf(members, analysis.distances),
      silhouette: meanOf(members.map((i) => fit[i])),
      differences
    };
  });
  return {labels, clusters, silhouette: meanOf(fit)};
}

// Few programs that together have a kernel of every cluster: each time the one with most clusters
// that are still missing.
function coverOf(labels, clusters) {
  const missing = new Set(clusters.map((cluster) => cluster.index));
  const chosen = [];
  while (missing.size) {
    const gains = suitePrograms.map(
      (program) =>
        new Set(labels.filter((label, i) => suite[i].owner === program && missing.has(label))));
    const best = gains.reduce((most, gain, p) => gain.size > gains[most].size ? p : most, 0);
    chosen.push(suitePrograms[best]);
    for (const label of gains[best]) missing.delete(label);
  }
  return chosen;
}

// Where a new kernel is: its scores, the suite's kernels by distance, the cluster of the nearest
// one, and whether it is farther from all than the suite's kernels are from each other. In metrics
// in which the suite does not vary at all, there are no distances: a new value there is outside.
function placed(kernel, analysis, labels) {
  const row = analysis.keys.map((key) => comparable(kernel, key));
  const point = analysis.found.standardise(row);
  const near =
    suite
      .map((other, i) => ({other, i, distance: distanceBetween(point, analysis.found.points[i])}))
      .sort((a, b) => a.distance - b.distance);
  const newValues = analysis.keys.filter((_, k) => {
    const {mean, varies} = analysis.found.columns[k];
    return !varies && row[k] !== null &&
      Math.abs(row[k] - mean) > 1e-9 * Math.max(1, Math.abs(mean));
  });
  const differences =
    analysis.usedKeys.map((key, c) => ({key, by: point[c] - analysis.found.points[near[0].i][c]}))
      .sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
  return {
    kernel,
    scores: analysis.found.scoresOf(row),
    near,
    cluster: labels[near[0].i],
    newValues,
    differences,
    outside: near[0].distance > analysis.limit || newValues.length > 0
  };
}

// Times

const deviceAt = (id) => data.devices.findIndex((device) => device.id === id);
// Devices by the time of these kernels, which all must be known; `tie` where a device may be faster
// than the best one.
function rankedDevices(kernels, ids) {
  const rows =
    ids
      .map((id) => {
        const at = deviceAt(id);
        const sumOf = (part) => kernels.reduce(
          (sum, kernel) => kernel.times[at] === null ? NaN : sum + kernel.times[at][part], 0);
        const micros = sumOf("micros");
        return {id, micros, low: sumOf("low"), high: sumOf("high")};
      })
      .filter((row) => row.micros > 0)
      .sort((a, b) => a.micros - b.micros);
  const isTie = (row) =>
    probabilityOfFaster(row, rows[0], data.errorCorrelation) >= data.tieProbability;
  return rows.map((row, i) => ({...row, tie: i > 0 && isTie(row)}));
}
const bestDevice = (kernel, ids) => (rankedDevices([kernel], ids)[0] || {id: null}).id;
// How many of the suite's kernels have the best device that most others have: most others of their
// cluster, and most others of the suite.
function foretold(labels, ids) {
  const best = suite.map((kernel) => bestDevice(kernel, ids));
  const most = (others) => {
    const counts = new Map();
    for (const i of others)
      if (best[i] !== null) counts.set(best[i], (counts.get(best[i]) || 0) + 1);
    return [...counts].reduce((top, one) => one[1] > top[1] ? one : top, [null, 0])[0];
  };
  const all = suite.map((_, i) => i).filter((i) => best[i] !== null);
  const apart = all.filter((i) => labels.filter((label) => label === labels[i]).length > 1);
  const right = (group) =>
    apart.filter((i) => most(group(i).filter((k) => k !== i)) === best[i]).length;
  return {
    best,
    of: apart.length,
    byCluster: right((i) => all.filter((k) => labels[k] === labels[i])),
    bySuite: right(() => all)
  };
}

// Metrics as directions in two components, the longest first; of those that point almost the same
// way, within a twentieth of a turn, only the first.
function directionsOf(analysis, x, y, most) {
  const {loadings, variances} = analysis.found;
  const all = analysis.usedKeys
                .map((key, k) => ({
                  key,
                  x: loadings[x][k] * Math.sqrt(variances[x]),
                  y: x === y ? 0 : loadings[y][k] * Math.sqrt(variances[y])
                }))
                .sort((a, b) => Math.hypot(b.x, b.y) - Math.hypot(a.x, a.y));
  const chosen = [];
  for (const one of all) {
    const near = chosen.some((other) => other.x * one.x + other.y * one.y >
        Math.cos(Math.PI / 10) * Math.hypot(one.x, one.y) * Math.hypot(other.x, other.y));
    if (chosen.length < most && !near && Math.hypot(one.x, one.y) > 1e-9) chosen.push(one);
  }
  return chosen;
}

// The thesis's Kiviat diagram (section 4.5): parallelism, compute, memory, control. Each axis goes
// from 0 to 1, the most that any kernel of the page has; counts are logarithms. Parallelism is
// inverted, so that little of everything is what any device does well. Granularity is 1 for a
// single work-item and 0 for the most that any kernel has.
const categoryLooks = {
  Parallelism: 2,
  Compute: 0,
  Memory: 4,
  Control: 3
};
const kiviatAxes =
  data.kiviatAxes.map(({key, name}) => ({key, name, index: categoryLooks[categoryOf(key)]}));
function kiviatScale(key) {
  const log =
    !isLinear(key) && key !== "barriers_per_instruction" && key !== "instructions_per_operand";
  const on = (value) => value === null || value === undefined ? 0 :
    key === "granularity"                                     ? -Math.log(value) :
    log                                                       ? Math.log1p(value) :
                                                                value;
  const most = Math.max(...data.kernels.map((kernel) => on(metric(kernel, key))), 0);
  return (value) => value === null || value === undefined ? 0 :
    key === "granularity"                                 ? (most > 0 ? 1 - on(value) / most : 1) :
    most > 0                                              ? on(value) / most :
                                                            0;
}
for (const axis of kiviatAxes) axis.at = kiviatScale(axis.key);
const kiviatValues = (kernel) =>
  kiviatAxes.map((axis) => Math.min(1, Math.max(0, axis.at(metric(kernel, axis.key)))));
