// The sections of the page of many programs. Each takes the view (what was chosen, and what follows
// from it) and returns elements.

// A marker within text.
const sample = (index) => s("svg", { width: 14, height: 14, viewBox: "0 0 14 14", class: "sample", "aria-hidden": "true" }, markerOf(index, 7, 7, 4));
const clusterName = (index) => `cluster ${index + 1}`;
const deviations = (value) => digits(value, 2);
const aloft = (difference) => `${difference.mean > 0 ? "high" : "low"} ${metricName(difference.key)}`;
const apartText = (cluster, count = 3) => cluster.differences.slice(0, count).filter((one) => Math.abs(one.mean) >= 0.3).map(aloft).join(", ");

function suiteVerdict(view) {
  const { clusters } = view;
  const cover = view.cover.map((program) => cut(program.name, 30));
  const count = `${plural(suite.length, "kernel")} of ${plural(suitePrograms.length, "program")}`;
  const sentence = !clusters.length ? `${count}: none of the chosen metrics tells them apart.`
    : `${count} form ${plural(clusters.length, "cluster")}; ${cover.length === 1 ? `the program ${cover[0]} has` : `${plural(cover.length, "program")} together have`} a kernel of each${cover.length > 1 && cover.length <= 8 ? `: ${listed(cover)}` : ""}.`;
  const sure = [];
  if (clusters.length) sure.push(`Compared by ${plural(view.analysis.usedKeys.length, "metric")} that depend on no device. The mean silhouette is ${digits(view.silhouette, 2)}: ${view.silhouette >= 0.5 ? "the clusters are well apart" : view.silhouette >= 0.25 ? "the clusters are apart, but some kernels lie between them" : "there are no clear clusters, and the cut is one of many that would do"}.`);
  if (fresh.length) sure.push(likeSentence(view));
  return { sentence, sure };
}

// Likeness

// A sentence for each new program, or one for all where they are many.
function likeSentence(view) {
  const sentenceOf = (name, kernels) => {
    const outside = kernels.filter((one) => one.outside).length;
    const [first] = kernels;
    if (kernels.length === 1) return `${name} is ${outside ? "outside of the suite: it is like none of its kernels" : `most like ${cut(first.near[0].other.label, 60)}`}, ${outside ? `and ${deviations(first.near[0].distance)} standard deviations from the nearest` : `${deviations(first.near[0].distance)} standard deviations from it`}.`;
    return !outside ? `Each of the ${kernels.length} kernels of ${name} is like some of the suite.`
      : outside === kernels.length ? `${name} is outside of the suite: none of its ${kernels.length} kernels is like any there.`
        : `${outside} of the ${kernels.length} kernels of ${name} ${outside === 1 ? "is" : "are"} outside of the suite: nothing there is like ${outside === 1 ? "it" : "them"}.`;
  };
  const owners = [...new Set(view.placed.map((one) => one.kernel.owner))];
  if (owners.length > 4) return sentenceOf(plural(owners.length, "new program"), view.placed);
  return owners.map((owner) => sentenceOf(cut(owner.name, 40), view.placed.filter((one) => one.kernel.owner === owner))).join(" ");
}
function likeSection(view) {
  if (!fresh.length || !view.clusters.length) return null;
  const focus = view.placed.find((one) => one.kernel === view.focus) || view.placed[0];
  const nearest = focus.near[0].other;
  const why = focus.unseen.length ? `It has values of ${listed(focus.unseen.map(metricName))} that no kernel of the suite has.`
    : `Its distance to the nearest, ${deviations(focus.near[0].distance)}, is ${focus.outside ? "more" : "not more"} than ${deviations(view.analysis.limit)}, which 95 % of the suite's kernels are from their own nearest neighbour.`;
  return section("like", "Likeness",
    chart((width) => radar({ width, label: "Kiviat diagram of a new kernel over that of the nearest", axes: kiviatAxes,
      series: [{ name: cut(focus.kernel.label, 50), index: 1, kernel: focus.kernel }, { name: cut(nearest.label, 50), index: 0, kernel: nearest }].map((one) => ({ ...one, values: kiviatValues(one.kernel), texts: kiviatAxes.map((axis) => valueText(metric(one.kernel, axis.key))) })) }),
      `${cut(focus.kernel.label, 60)} over the kernel of the suite that is nearest. ${why} ${focus.outside ? "So it is outside of the suite: what is known of the suite says little about it." : `So it belongs to ${clusterName(focus.cluster)}.`} They differ most in ${listed(focus.differences.slice(0, 3).map((one) => metricName(one.key)))}.`),
    table(["new kernel", "", "nearest", "then", "then", "cluster"], view.placed.map((one) => h("tr", {}, h("th", { scope: "row" }, cut(one.kernel.label, 50)),
      h("td", { class: "text" }, one.outside ? h("strong", {}, "outside") : "inside"),
      [0, 1, 2].map((i) => h("td", { class: "text" }, one.near[i] ? [cut(one.near[i].other.label, 44), h("span", { class: "quiet" }, ` ${deviations(one.near[i].distance)}`)] : "")),
      h("td", {}, one.outside ? "none" : [sample(one.cluster), ` ${one.cluster + 1}`]))), "tall names"),
    h("p", { class: "quiet" }, `Numbers are distances in standard deviations of the suite. A new kernel is outside if it is farther from all of the suite than ${deviations(view.analysis.limit)}, or if it differs in a metric that all of the suite agree in. Its cluster is that of the nearest kernel; the suite's clusters and components do not depend on new kernels.`));
}

// Map

function mapSection(view) {
  const { found } = view.analysis;
  if (!found.shares.length) return null;
  const count = found.shares.length;
  const [x, y] = [Math.min(view.x, count - 1), Math.min(view.y, count - 1)];
  const score = (row, component) => row[component] || 0;
  const points = [...suite.map((kernel, i) => ({ kernel, scores: found.scores[i], label: view.labels[i] })),
    ...view.placed.map((one) => ({ kernel: one.kernel, scores: one.scores, label: one.outside ? -1 : one.cluster }))];
  const limits = [x, y].map((component) => {
    const values = points.map((point) => score(point.scores, component));
    const margin = 0.1 * (Math.max(...values) - Math.min(...values)) || 1;
    return { min: Math.min(...values) - margin, max: Math.max(...values) + margin };
  });
  const devices = [...new Set(points.map((point) => bestDevice(point.kernel, view.devices)))].sort();
  const groupOf = { program: (point) => point.kernel.program, cluster: (point) => point.label, device: (point) => devices.indexOf(bestDevice(point.kernel, view.devices)) }[view.colour];
  const nameOf = { program: (i) => data.programs[i].name + (data.programs[i].isNew ? " (new)" : ""), cluster: (i) => i < 0 ? "outside" : clusterName(i), device: (i) => devices[i] || "no device" }[view.colour];
  const groups = [...new Set(points.map(groupOf))].sort((a, b) => a - b);
  const lookOf = (group) => group < 0 ? 7 : group;
  // Arrows as long as what the two components say of a metric; the longest reaches most of the way to the rim.
  const arrows = directionsOf(view.analysis, x, y, 7);
  const room = Math.min(...arrows.map((arrow) => Math.min(arrow.x > 0 ? limits[0].max / arrow.x : arrow.x < 0 ? limits[0].min / arrow.x : Infinity, arrow.y > 0 ? limits[1].max / arrow.y : arrow.y < 0 ? limits[1].min / arrow.y : Infinity)));
  const format = (value) => digits(Math.abs(value) < 1e-9 ? 0 : value, 2);
  const axis = (component) => `component ${component + 1}, ${percent(found.shares[component])} of the variance`;
  const cumulated = found.shares.map((_, i) => found.shares.slice(0, i + 1).reduce((a, b) => a + b, 0));
  const enough = Math.max(1, cumulated.findIndex((share) => share >= 0.9) + 1);
  const shown = Math.min(count, Math.max(enough, x + 1, y + 1));
  const components = found.shares.map((share, i) => [i, `${i + 1}: ${percent(share)}`]).slice(0, 12);
  const strong = (point) => point.kernel === view.focus || point.kernel.owner.isNew;
  const heat = (weight) => `--heat:${(100 * Math.min(1, Math.abs(weight))).toFixed(0)}%`;
  const ordered = view.analysis.usedKeys.map((_, k) => k).sort((a, b) => Math.abs(found.loadings[x][b]) - Math.abs(found.loadings[x][a]));
  return section("map", "Map",
    h("p", { class: "controls" }, select("x", "Across: component", components, x), " ", select("y", "upwards: component", components, y), " ",
      select("colour", "marked by", [["program", "program"], ["cluster", "cluster"], ["device", "best device"]], view.colour), " ",
      checkbox("metrics as arrows", view.arrows, (on) => set({ arrows: on }))),
    chart((width) => plot({ width, height: Math.max(420, Math.min(620, 0.6 * width)), label: "Kernels by two principal components of their metrics",
      x: { ...limits[0], format, label: axis(x) }, y: { ...limits[1], format, label: axis(y) },
      legends: groups.map((group) => ({ name: cut(nameOf(group), 24), index: lookOf(group) })),
      arrows: view.arrows ? arrows.map((arrow) => ({ x: 0.85 * room * arrow.x, y: 0.85 * room * arrow.y, text: metricName(arrow.key) })) : [],
      series: points.map((point) => ({ name: point.kernel.label, index: lookOf(groupOf(point)), ring: strong(point),
        points: [[score(point.scores, x), score(point.scores, y), `${point.kernel.label}${point.label >= 0 ? `, ${clusterName(point.label)}` : ", outside"}`]] })),
      texts: points.slice().sort((a, b) => strong(b) - strong(a)).map((point) => ({ x: score(point.scores, x), y: score(point.scores, y), dy: strong(point) ? -14 : -9, anchor: "middle", strong: strong(point), text: cut(point.kernel.name, 22) })) }),
      `Each mark is a kernel: marks that are close to each other are of kernels that are alike in what the two components hold, ${percent(found.shares[x] + (x === y ? 0 : found.shares[y]))} of the variance; ${plural(enough, "component")} together hold ${percent(cumulated[enough - 1])}. ${view.arrows ? "An arrow points to where a metric is large, and is the longer the more the two components say of it; of metrics that point the same way, one is drawn." : ""} A ring is around ${fresh.length ? "new kernels and " : ""}the kernel that is looked at.`),
    h("details", { id: "loadings" }, h("summary", {}, "How much each metric counts in each component"),
      table(["metric", ...Array.from({ length: shown }, (_, i) => h("span", {}, `${i + 1}`, h("br"), `${percent(found.shares[i])}`, h("br"), `${percent(cumulated[i])}`))],
        ordered.map((k) => h("tr", {}, h("th", { scope: "row" }, metricName(view.analysis.usedKeys[k])), Array.from({ length: shown }, (_, i) => h("td", { class: "share", style: heat(found.loadings[i][k]) }, format(found.loadings[i][k]))))), "tall"),
      h("p", { class: "quiet" }, "Under the number of a component: its share of the variance, and that of all up to it. The squares of a column have the sum 1.")));
}

// Clusters

// The tree from its root at the left to the kernels at the right, with the cut as a dashed line.
//   rows, from the top: name, index (of its cluster's look), title, strong, note
//   joins: as wardTree returns them, of the points `order`; height: of the cut
function dendrogram({ width, label, rows, order, joins, height, lookOf }) {
  const rowHeight = 16, head = 22, bottom = 40;
  const n = order.length;
  const right = Math.min(0.5 * width, 26 + Math.max(...rows.map((row) => widthOf(row.name, 11))));
  const left = 10, inner = width - left - right;
  const all = head + n * rowHeight + bottom;
  const scale = scales.linear(0, 1.04 * joins[joins.length - 1].height || 1);
  const px = (value) => left + (1 - scale.at(value)) * inner;
  const parts = [];
  for (const tick of scale.ticks(Math.max(2, Math.floor(inner / 70)))) {
    parts.push(s("line", { x1: px(tick), x2: px(tick), y1: head - 4, y2: all - bottom + 2, class: "grid" }));
    parts.push(axisText(px(tick), all - bottom + 16, digits(tick, 3)));
  }
  parts.push(axisText(left + inner / 2, all - 6, "distance at which clusters join"));
  const at = [];
  order.forEach((point, row) => { at[point] = { x: px(0), y: head + (row + 0.5) * rowHeight, member: point }; });
  joins.forEach(({ a, b, height: distance }, i) => {
    const [one, other] = [at[a], at[b]];
    const x = px(distance);
    at[n + i] = { x, y: (one.y + other.y) / 2, member: one.member };
    const path = `M${one.x.toFixed(1)},${one.y.toFixed(1)}H${x.toFixed(1)}V${other.y.toFixed(1)}H${other.x.toFixed(1)}`;
    parts.push(s("path", { d: path, class: distance < height ? `branch c${hue(lookOf(one.member))}` : "trunk" }, s("title", {}, `joined at ${deviations(distance)}`)));
  });
  parts.push(s("line", { x1: px(height), x2: px(height), y1: head - 8, y2: all - bottom + 2, class: "limit" }));
  parts.push(axisText(px(height), 11, "cut", "middle", { class: "name" }));
  rows.forEach((row, i) => {
    const y = head + (i + 0.5) * rowHeight;
    parts.push(markerOf(row.index, px(0) + 9, y, 3.5));
    parts.push(axisText(px(0) + 20, y + 4, cut(row.name, Math.max(8, Math.floor((right - 22) / widthOf("x", 11)))), "start", { class: row.strong ? "name strong" : "name", "font-size": 11 }));
    parts[parts.length - 1].append(s("title", {}, row.title));
  });
  const svg = frame(width, all, label, ...parts);
  svg.classList.add("dendrogram");
  return svg;
}

function clustersSection(view) {
  const { analysis, clusters } = view;
  if (!clusters.length) return null;
  const { joins } = analysis;
  const n = suite.length;
  const below = n - view.count > 0 ? joins[n - view.count - 1].height : 0;
  const cutAt = view.count > 1 ? (below + joins[n - view.count].height) / 2 : 1.02 * joins[n - 2].height;
  const newOf = (i) => view.placed.filter((one) => one.near[0].i === i && !one.outside).map((one) => one.kernel.name);
  const rows = analysis.order.map((i) => ({ name: suite[i].label + (newOf(i).length ? ` ◄ new: ${newOf(i).join(", ")}` : ""), index: view.labels[i], title: `${suite[i].label}, ${clusterName(view.labels[i])}`, strong: suite[i] === view.focus || newOf(i).length > 0 }));
  const { best } = analysis;
  const suggested = analysis.quality.find((one) => one.count === analysis.suggested);
  const representatives = [...new Set(clusters.map((cluster) => suite[cluster.medoid].owner.name))].map((name) => cut(name, 30));
  const cover = view.cover.map((program) => cut(program.name, 30));
  return section("clusters", "Clusters",
    h("p", { class: "controls" }, h("label", {}, "Number of clusters ", h("input", { type: "range", id: "count", min: 1, max: analysis.most, step: 1, value: view.count, "aria-valuetext": plural(view.count, "cluster"),
      oninput: (event) => { event.target.nextSibling.textContent = ` ${event.target.value} `; }, onchange: (event) => set({ count: Number(event.target.value) }) }), h("output", {}, ` ${view.count} `)),
    h("button", { type: "button", id: "suggest", onclick: () => set({ count: null }) }, `as suggested: ${analysis.suggested}`)),
    chart((width) => dendrogram({ width, label: "Dendrogram of the kernels", rows, order: analysis.order, joins, height: cutAt, lookOf: (i) => view.labels[i] }),
      `Kernels that join at the right are alike; branches of one look, at the right of the cut, are one cluster. Ward's method joins the two clusters that spread least around their common mean, in the standardised metrics.`),
    analysis.quality.length > 1 ? chart((width) => plot({ width: Math.min(width, 640), height: 220, label: "Mean silhouette by number of clusters", legends: [],
      x: { min: 1.5, max: analysis.most + 0.5, format: (value) => Number.isInteger(value) ? value : "", label: "number of clusters" },
      y: { min: Math.min(0, ...analysis.quality.map((one) => one.silhouette)), max: 1.1 * Math.max(0.1, ...analysis.quality.map((one) => one.silhouette)), format: (value) => digits(value, 2), label: "mean silhouette" },
      series: [{ name: "silhouette", index: 0, line: true, marks: false, points: analysis.quality.map((one) => [one.count, one.silhouette]) },
        ...analysis.quality.map((one) => ({ name: `${one.count}`, index: 0, ring: one.count === view.count, points: [[one.count, one.silhouette, `${one.count} clusters: ${digits(one.silhouette, 3)}`]] }))] }),
      `How well the kernels lie in their clusters, from −1 to 1, by the number of clusters (Rousseeuw's silhouette). ${best === suggested ? `${best.count} do best, with ${digits(best.silhouette, 2)}, and are suggested.` : `${best.count} do best, with ${digits(best.silhouette, 2)}; suggested is the smallest number that is worse by at most a tenth: ${suggested.count}, with ${digits(suggested.silhouette, 2)}.`} The ring is around the number that is shown.`) : null,
    h("h3", {}, "A representative of each"),
    table(["cluster", "kernels", "silhouette", "representative", "unlike the rest by", "programs"], clusters.map((cluster) => h("tr", {}, h("th", { scope: "row" }, sample(cluster.index), ` ${cluster.index + 1}`), h("td", {}, cluster.members.length), h("td", {}, cluster.members.length > 1 ? digits(cluster.silhouette, 2) : "–"),
      h("td", { class: "text" }, cut(suite[cluster.medoid].label, 50)), h("td", { class: "text wrap" }, apartText(cluster) || "nothing much"),
      h("td", { class: "text wrap" }, listed([...new Set(cluster.members.map((i) => cut(suite[i].owner.name, 24)))])))), "names"),
    h("p", {}, `To see something of every cluster, run ${representatives.length === 1 ? `the program ${representatives[0]}: it has` : `${plural(representatives.length, "program")}, ${listed(representatives)}: they have`} the kernels that are nearest to all others of their cluster.${cover.length < representatives.length ? ` ${plural(cover.length, "program")} already ${cover.length === 1 ? "has" : "have"} some kernel of each: ${listed(cover)}.` : ""}`));
}

// Kiviat diagrams

function kiviatSection(view) {
  const groups = view.clusters.length ? view.clusters.map((cluster) => ({ title: [sample(cluster.index), h("span", {}, `Cluster ${cluster.index + 1}`), h("span", { class: "quiet" }, apartText(cluster, 2))], index: cluster.index, kernels: cluster.members.map((i) => suite[i]) }))
    : [{ title: ["All kernels"], index: 0, kernels: suite }];
  if (fresh.length) groups.push({ title: ["New kernels"], index: 1, kernels: fresh });
  const axes = kiviatAxes.map(({ name, index }) => ({ name, index }));
  const small = (kernels, index, name, label, focus) => h("button", { type: "button", class: "kiviat", id: `kiviat-${focus.place}`, "aria-pressed": kernels.includes(view.focus) ? "true" : "false", onclick: () => set({ focus: focus.place }) },
    s("svg", { viewBox: "0 0 136 136", role: "img", "aria-label": label }, web({ centre: { x: 68, y: 68 }, radius: 60, axes, markerSize: 2.4, series: kernels.map((kernel) => ({ name: kernel.label, index: kernels.length > 1 ? kernels.indexOf(kernel) : index, className: "area", values: kiviatValues(kernel) })) }).parts),
    h("span", {}, name));
  const byProgram = () => data.programs.map((program) => data.kernels.filter((kernel) => kernel.owner === program))
    .map((kernels) => small(kernels, 0, cut(kernels[0].owner.name, 40), `Kiviat diagram of ${kernels[0].owner.name}`, kernels.includes(view.focus) ? view.focus : kernels[0]));
  const legends = ["Parallelism", "Compute", "Memory", "Control"].map((category) => ({ name: category.toLowerCase(), index: (kiviatAxes.find((axis) => categoryOf(axis.key) === category) || { index: 7 }).index }));
  return section("kiviat", "Kiviat diagrams",
    chart((width) => radar({ width, label: "Kiviat diagram with the names of the axes", axes: kiviatAxes, legends,
      series: [{ name: view.focus.label, index: 1, values: kiviatValues(view.focus), texts: kiviatAxes.map((axis) => valueText(metric(view.focus, axis.key))) }] }),
      `${cut(view.focus.label, 60)}, with the names of the axes: parallelism, compute, memory and control, as in the thesis on AIWC. All diagrams have the same scale: the rim is the most that any kernel of the page has, counts on a logarithmic scale. The parallelism axes are large where there is little of it.`),
    h("p", { class: "controls" }, select("kiviats", "One diagram for each", [["kernel", "kernel, by cluster"], ["program", "program"]], view.kiviats)),
    h("figure", {}, view.kiviats === "program" ? h("div", { class: "kiviats" }, byProgram())
      : groups.map((group) => h("div", { class: "kiviats" }, h("h3", {}, group.title), group.kernels.map((kernel) => small([kernel], group.index, [kernel.name.slice(0, 40), h("br"), h("span", { class: "quiet" }, cut(kernel.owner.name, 24))], `Kiviat diagram of ${kernel.label}`, kernel)))),
      h("figcaption", {}, view.kiviats === "program" ? "The kernels of each program over each other. Choose one to see the names of its axes above." : "Kernels of the same shape ask for the same device. Those of a cluster stand together; choose one to see the names of its axes above.")));
}

// Devices

function devicesSection(view) {
  const ids = view.devices;
  const rows = suitePrograms.concat(data.programs.filter((program) => program.isNew)).map((program) => {
    const kernels = data.kernels.filter((kernel) => kernel.owner === program);
    return { program, kernels, ranked: rankedDevices(kernels, ids) };
  });
  const labelOf = new Map([...suite.map((kernel, i) => [kernel, view.labels[i]]), ...view.placed.map((one) => [one.kernel, one.outside ? -1 : one.cluster])]);
  const clustersOfProgram = (kernels) => view.clusters.length ? [...new Set(kernels.map((kernel) => labelOf.get(kernel)))].sort((a, b) => a - b) : [];
  const guess = view.clusters.length && ids.length > 1 ? foretold(view.labels, ids) : null;
  const said = guess && guess.of ? `Do clusters share their best device? If a kernel's best device is guessed to be that of most others of its cluster, ${guess.byCluster} of ${guess.of} guesses are right; if it is guessed to be that of most others of the suite, ${guess.bySuite} are: ${guess.byCluster > guess.bySuite ? "what a kernel is like tells something about its best device" : "of these devices, the cluster tells nothing that the suite as a whole does not"}.` : "Choose two devices or more to see whether clusters share their best device.";
  return section("devices", "Devices",
    h("p", {}, said),
    table(["program", "best device", "time", ...ids, "clusters"], rows.map(({ program, kernels, ranked }) => h("tr", {}, h("th", { scope: "row" }, cut(program.name, 40)),
      h("td", { class: "text" }, ranked.length ? [ranked[0].id, ranked.some((row) => row.tie) ? h("span", { class: "quiet" }, ` ${plural(ranked.filter((row) => row.tie).length, "tie")}`) : null] : "none can run it"), h("td", {}, ranked.length ? duration(ranked[0].micros) : ""),
      ids.map((id) => { const row = ranked.find((one) => one.id === id); return h("td", { class: row === ranked[0] ? "best" : null }, row ? times(row.micros / ranked[0].micros) : "–"); }),
      h("td", {}, clustersOfProgram(kernels).map((label) => label < 0 ? "outside " : [sample(label), `${label + 1} `])))), `best-devices ${rows.length > 24 ? "tall" : ""}`),
    h("p", { class: "quiet" }, "Predicted times of all launches, relative to those of the program's best device. A tie is a device whose 80 % interval overlaps that of the best. A kernel that is its own cluster is not guessed."));
}

// Metrics

function usedMetricsSection(view) {
  const rows = view.keys.map((key, k) => ({ key, row: data.catalogue[metricPlace[key]], varies: view.analysis.found.columns[k].varies, values: suite.map((kernel) => metric(kernel, key)).filter((value) => value !== null) }));
  const constant = rows.filter((row) => !row.varies).length;
  return section("metrics", "Metrics",
    h("p", {}, `Kernels are compared by ${plural(rows.length - constant, "metric")}${constant ? `; ${plural(constant, "other has", "others have")} the same value for the whole suite and ${constant === 1 ? "says" : "say"} nothing` : ""}. Each is brought to mean 0 and standard deviation 1 over the suite's kernels, so all count the same; counts as the logarithm of one more, because kernels differ in them by factors. A value that a kernel does not have counts as the mean. The launch that executes most instructions stands for its kernel.`),
    table(["metric", "category", "scale", "least", "most", "definition"], rows.map(({ key, row, varies, values }) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, key), row.name !== key ? h("span", { class: "quiet" }, ` ${row.name}`) : null),
      h("td", {}, row.category.toLowerCase()), h("td", {}, !varies ? "does not vary" : isLinear(key) ? "linear" : "logarithm"),
      h("td", {}, values.length ? valueText(Math.min(...values)) : "–"), h("td", {}, values.length ? valueText(Math.max(...values)) : "–"), h("td", { class: "text" }, row.definition))), "metrics used"));
}
