// The kernels by two principal components, with metrics as arrows.

views.map = (view, say) => {
  const {found} = view.analysis;
  const count = found.shares.length;
  if (!count) return null;
  const [x, y] = [Math.min(view.x, count - 1), Math.min(view.y, count - 1)];
  const cumulated =
    found.shares.map((_, i) => found.shares.slice(0, i + 1).reduce((a, b) => a + b, 0));
  const enough = Math.max(1, cumulated.findIndex((share) => share >= 0.9) + 1);
  const caption = [
    say("caption", {
      share: percent(found.shares[x] + (x === y ? 0 : found.shares[y])),
      count: enough,
      all: percent(cumulated[enough - 1]),
    }),
    view.arrows ? say("arrowsSaid") : "",
    say(fresh.length ? "ringNew" : "ring"),
  ];
  return {
    above: mapControls(view, found, x, y, say),
    caption: caption.filter(Boolean).join(" "),
    picture: (width) => mapPlot(width, view, x, y, say),
    below: loadingsTable(view, x, Math.min(count, Math.max(enough, x + 1, y + 1)), cumulated, say),
  };
};

function mapControls(view, found, x, y, say) {
  const components = found.shares.slice(0, 12).map(
    (share, i) => [i, say("component", {number: i + 1, share: percent(share)})]);
  const colours = ["program", "cluster", "device"].map((one) => [one, say(one)]);
  return h("p", {class: "controls"}, select("x", say("across"), components, x), " ",
    select("y", say("upwards"), components, y), " ",
    select("colour", say("markedBy"), colours, view.colour), " ",
    checkbox(say("arrows"), view.arrows, (on) => set({arrows: on})));
}

// The kernels with their scores, and what each is marked by: group (a number) and its name.
function mapPoints(view, say) {
  const points = [
    ...suite.map((kernel, i) => ({
      kernel,
      scores: view.analysis.found.scores[i],
      label: view.labels[i],
    })),
    ...view.placed.map((one) => ({
      kernel: one.kernel,
      scores: one.scores,
      label: one.outside ? -1 : one.cluster,
    })),
  ];
  const best = points.map(({kernel}) => bestDevice(kernel, view.devices));
  const devices = [...new Set(best)].sort();
  const programOf = (program) =>
    program.isNew ? say("newProgram", {program: program.name}) : program.name;
  const marks = {
    program: ({kernel}) => [kernel.program, programOf(kernel.owner)],
    cluster: ({label}) => [label, label < 0 ? say("outside") : clusterName(label)],
    device: (_, i) => [devices.indexOf(best[i]), best[i] || say("noDevice")],
  };
  return points.map((point, i) => {
    const [group, name] = marks[view.colour](point, i);
    const cluster = point.label < 0 ? say("outside") : clusterName(point.label);
    return {
      ...point,
      group,
      name,
      index: group < 0 ? 7 : group,
      isStrong: point.kernel === view.focus || point.kernel.owner.isNew,
      title: say("point", {kernel: point.kernel.label, cluster}),
    };
  });
}

// Arrows as long as what the two components say of a metric; the longest reaches most of the way to
// the rim.
function mapArrows(view, x, y, limits) {
  const arrows = directionsOf(view.analysis, x, y, 7);
  const roomOf = (at, {min, max}) => at > 0 ? max / at : at < 0 ? min / at : Infinity;
  const rooms = arrows.map((one) => Math.min(roomOf(one.x, limits[0]), roomOf(one.y, limits[1])));
  const scale = 0.85 * Math.min(...rooms);
  return arrows.map((one) => ({x: scale * one.x, y: scale * one.y, text: metricName(one.key)}));
}

function mapPlot(width, view, x, y, say) {
  const {shares} = view.analysis.found;
  const points = mapPoints(view, say).map(
    (point) => ({...point, at: [x, y].map((component) => point.scores[component] || 0)}));
  const limits = [0, 1].map((i) => limitsOf(points.map(({at}) => at[i]), 0.1));
  const axis = (i, component) => ({
    ...limits[i],
    format: scoreText,
    label: say("axis", {number: component + 1, share: percent(shares[component])}),
  });
  const groups = new Map(points.map((point) => [point.group, point]));
  const legends = [...groups.values()].sort((a, b) => a.group - b.group).map(({name,
    index}) => ({name: cut(name, 24), index}));
  const byStrength = points.slice().sort((a, b) => b.isStrong - a.isStrong);
  return plot({
    width,
    height: Math.max(420, Math.min(620, 0.6 * width)),
    label: say("label"),
    x: axis(0, x),
    y: axis(1, y),
    legends,
    arrows: view.arrows ? mapArrows(view, x, y, limits) : [],
    series: points.map(({kernel, index, isStrong, at, title}) => ({
      name: kernel.label,
      index,
      ring: isStrong,
      points: [[...at, title]],
    })),
    texts: byStrength.map(({kernel, isStrong, at}) => ({
      x: at[0],
      y: at[1],
      dy: isStrong ? -14 : -9,
      anchor: "middle",
      strong: isStrong,
      text: cut(kernel.name, 22),
    })),
  });
}

function loadingsTable(view, x, shown, cumulated, say) {
  const {loadings, shares} = view.analysis.found;
  const components = shares.slice(0, shown).map((_, i) => i);
  const heat = (weight) => `--heat:${(100 * Math.min(1, Math.abs(weight))).toFixed(0)}%`;
  const cell = (weight) => h("td", {class: "share", style: heat(weight)}, scoreText(weight));
  const keys = view.analysis.usedKeys.map((key, k) => ({key, k}))
                 .sort((a, b) => Math.abs(loadings[x][b.k]) - Math.abs(loadings[x][a.k]));
  const heads = components.map(
    (i) => h("span", {}, `${i + 1}`, h("br"), percent(shares[i]), h("br"), percent(cumulated[i])));
  return h("details", {id: "loadings"}, h("summary", {}, say("loadings")),
    table([say("metric"), ...heads],
      keys.map(({key, k}) => h("tr", {}, h("th", {scope: "row"}, metricName(key)),
                 components.map((i) => cell(loadings[i][k])))),
      "tall"),
    h("p", {class: "quiet"}, say("loadingsSaid")));
}
