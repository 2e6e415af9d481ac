// What was chosen: as the URL has it, and what follows from it for the views.

const start = {
  set: "aiwc",
  categories: null,
  count: null,
  focus: null,
  x: 0,
  y: 1,
  colour: "program",
  arrows: true,
  kiviats: "kernel",
  devices: data.chosen,
  theme: "",
};
const choices = {
  set: metricSets.map((one) => one.key),
  colour: ["program", "cluster", "device"],
  kiviats: ["kernel", "program"],
  theme: ["light", "dark"],
};

function readFragment() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const next = {...start};
  const whole = (name, least, end) => {
    const text = fields.get(name);
    const value = text !== null && /^\d{1,6}$/.test(text) ? Number(text) : -1;
    return value >= least && value < end ? value : null;
  };
  for (const [name, allowed] of Object.entries(choices))
    if (allowed.includes(fields.get(name))) next[name] = fields.get(name);
  const named = (fields.get("c") || "").split(",");
  const some = categories.filter((category) => named.includes(category.toLowerCase()));
  if (some.length && some.length < categories.length) next.categories = some;
  next.count = whole("n", 1, mostClusters + 1);
  next.focus = whole("f", 0, data.kernels.length);
  for (const name of ["x", "y"]) {
    const found = whole(name, 1, 13);
    if (found !== null) next[name] = found - 1;
  }
  next.arrows = fields.get("arrows") !== "no";
  next.devices = devicesIn(fields) || next.devices;
  return next;
}

function fragmentOf(it) {
  const fields = new URLSearchParams();
  for (const name of Object.keys(choices))
    if (it[name] !== start[name]) fields.set(name, it[name]);
  if (it.categories) fields.set("c", it.categories.join().toLowerCase());
  if (it.count !== null) fields.set("n", it.count);
  if (it.focus !== null) fields.set("f", it.focus);
  for (const name of ["x", "y"])
    if (it[name] !== start[name]) fields.set(name, it[name] + 1);
  if (!it.arrows) fields.set("arrows", "no");
  if (it.devices.join() !== start.devices.join()) fields.set("d", it.devices.join());
  return fields.toString().replaceAll("%2C", ",");
}

function viewOf() {
  const {x, y, colour, arrows, kiviats, devices} = choice;
  const isChosen = (key) => !choice.categories || choice.categories.includes(categoryOf(key));
  const keys = metricSets.find((one) => one.key === choice.set).keys.filter(isChosen);
  const analysis = analysisOf(keys);
  const wanted = choice.count === null ? analysis.suggested : choice.count;
  const count = Math.min(wanted, analysis.most);
  const none = {labels: suite.map(() => 0), clusters: [], silhouette: 0};
  const {labels, clusters, silhouette} =
    analysis.usedKeys.length ? clustersOf(analysis, count) : none;
  const first = () => fresh[0] || suite[clusters.length ? clusters[0].medoid : 0];
  return {
    keys,
    analysis,
    count,
    labels,
    clusters,
    silhouette,
    x,
    y,
    colour,
    arrows,
    kiviats,
    devices,
    cover: coverOf(labels, clusters),
    placed: fresh.map((kernel) => placed(kernel, analysis, labels)),
    focus: choice.focus === null ? first() : data.kernels[choice.focus],
  };
}
