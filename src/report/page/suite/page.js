// The page of many programs: what was chosen, and the controls.

const start = { set: "aiwc", categories: null, count: null, focus: null, x: 0, y: 1, colour: "program", arrows: true, kiviats: "kernel", devices: data.chosen, theme: "" };
const choices = { set: metricSets.map((one) => one.key), colour: ["program", "cluster", "device"], kiviats: ["kernel", "program"], theme: ["light", "dark"] };

function readFragment() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const next = { ...start };
  const whole = (name, least, end) => {
    const text = fields.get(name);
    return text !== null && /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) < end ? Number(text) : null;
  };
  for (const [name, allowed] of Object.entries(choices)) if (allowed.includes(fields.get(name))) next[name] = fields.get(name);
  const some = categories.filter((category) => (fields.get("c") || "").split(",").includes(category.toLowerCase()));
  if (some.length && some.length < categories.length) next.categories = some;
  next.count = whole("n", 1, mostClusters + 1);
  next.focus = whole("f", 0, data.kernels.length);
  for (const name of ["x", "y"]) { const found = whole(name, 1, 13); if (found !== null) next[name] = found - 1; }
  next.arrows = fields.get("arrows") !== "no";
  next.devices = devicesIn(fields) || next.devices;
  return next;
}
function fragmentOf(it) {
  const fields = new URLSearchParams();
  for (const name of Object.keys(choices)) if (it[name] !== start[name]) fields.set(name, it[name]);
  if (it.categories) fields.set("c", it.categories.map((category) => category.toLowerCase()).join());
  if (it.count !== null) fields.set("n", it.count);
  if (it.focus !== null) fields.set("f", it.focus);
  for (const name of ["x", "y"]) if (it[name] !== start[name]) fields.set(name, it[name] + 1);
  if (!it.arrows) fields.set("arrows", "no");
  if (it.devices.join() !== start.devices.join()) fields.set("d", it.devices.join());
  return fields.toString().replaceAll("%2C", ",");
}

function viewOf() {
  const keys = metricSets.find((one) => one.key === choice.set).keys.filter((key) => !choice.categories || choice.categories.includes(categoryOf(key)));
  const analysis = analysisOf(keys);
  const tells = analysis.usedKeys.length > 0;
  const count = Math.min(choice.count === null ? analysis.suggested : choice.count, analysis.most);
  const { labels, clusters, silhouette } = tells ? clustersOf(analysis, count) : { labels: suite.map(() => 0), clusters: [], silhouette: 0 };
  return {
    keys, analysis, count, labels, clusters, silhouette, cover: coverOf(labels, clusters),
    placed: fresh.map((kernel) => placed(kernel, analysis, labels)),
    focus: choice.focus === null ? fresh[0] || suite[clusters.length ? clusters[0].medoid : 0] : data.kernels[choice.focus],
    x: choice.x, y: choice.y, colour: choice.colour, arrows: choice.arrows, kiviats: choice.kiviats, devices: choice.devices,
  };
}

function controls(view) {
  const chosen = choice.categories || categories;
  const toggle = (category, on) => {
    const next = categories.filter((one) => one === category ? on : chosen.includes(one));
    if (next.length) set({ categories: next.length === categories.length ? null : next }); else draw();
  };
  return h("form", { class: "choices", onsubmit: (event) => event.preventDefault(), "aria-label": "What the page shows" },
    h("fieldset", {}, h("legend", {}, "Metrics"), select("set", "compare by", metricSets.map((one) => [one.key, one.name]), choice.set),
      categories.map((category) => checkbox(category.toLowerCase(), chosen.includes(category), (on) => toggle(category, on)))),
    h("fieldset", {}, h("legend", {}, "Kernel"), select("focus", "look at", data.kernels.map((kernel) => [kernel.place, cut(kernel.label + (kernel.owner.isNew ? " (new)" : ""), 60)]), view.focus.place)),
    deviceChoice());
}

function content() {
  const view = viewOf();
  const said = suiteVerdict(view);
  const sampled = data.kernels.filter((kernel) => kernel.sampled > 0).map((kernel) => cut(kernel.label, 60));
  const doubtful = [...data.leftOut.map((text) => `Left out: ${text}.`), ...(sampled.length ? [`Estimated from samples of the work-groups: ${listed(sampled)}.`] : [])];
  return {
    title: data.run,
    said: [h("p", { class: "verdict" }, said.sentence), said.sure.map((text) => h("p", {}, text)),
      doubtful.length ? h("details", { class: "doubts", open: doubtful.length < 4 }, h("summary", {}, plural(doubtful.length, "caveat")), h("ul", {}, doubtful.map((text) => h("li", {}, text)))) : null],
    controls: controls(view),
    sections: [likeSection(view), mapSection(view), clustersSection(view), kiviatSection(view), devicesSection(view), usedMetricsSection(view)],
    footer: `Written by ${data.tool}. Metrics are counted in a simulator, and times are predicted by the ${data.model.name} model: no device was used.`,
  };
}

// What the page shows as numbers: for tests, and for programs that drive a browser.
function shownNumbers() {
  const view = viewOf();
  return {
    metrics: view.analysis.usedKeys, shares: view.analysis.found.shares,
    clusters: view.clusters.map((cluster) => ({ kernels: cluster.members.map((i) => suite[i].label), representative: suite[cluster.medoid].label, silhouette: cluster.silhouette })),
    suggested: view.analysis.suggested, silhouette: view.silhouette, limit: view.analysis.limit, cover: view.cover.map((program) => program.name),
    like: view.placed.map((one) => ({ kernel: one.kernel.label, outside: one.outside, unseen: one.unseen, nearest: one.near.slice(0, 3).map((near) => ({ kernel: near.other.label, distance: near.distance })) })),
    devices: data.programs.map((program) => ({ program: program.name, ranked: rankedDevices(data.kernels.filter((kernel) => kernel.owner === program), view.devices) })),
  };
}
globalThis.aiwcReport = { errors, shownNumbers, charts: () => charts.length, set, principal, wardTree, leafOrder, cutTree, silhouettes, medoidOf, quantile, distancesOf, suggestedOf };

begin({ readFragment, fragmentOf, content });
