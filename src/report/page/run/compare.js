// With another run: the times before and after, and the metrics that changed most.

views.compare = (view, say) => {
  if (!data.before) return null;
  const oldOf = (kernel) => data.before.kernels.find((old) => old.name === kernel.name);
  const pairs =
    view.kernels.map((kernel) => ({kernel, old: oldOf(kernel)})).filter((pair) => pair.old);
  const devices = view.entries.map((entry) => entry.device);
  if (!pairs.length || !devices.length)
    return {above: h("p", {}, say("none", {run: data.before.run}))};
  const timeOf = (kernel, device) => costOf([kernel], device, view.exposed).micros;
  const rows = pairs.map((pair) => ({
    ...pair,
    times: devices.map((device) => [timeOf(pair.old, device), timeOf(pair.kernel, device)]),
  }));
  const sums = devices.map(
    (_, d) => [0, 1].map((i) => rows.reduce((total, row) => total + row.times[d][i], 0)));
  const pair = pairs.find((one) => one.kernel === view.focus) || pairs[0];
  return {
    caption: say("caption", {device: devices[0].id, ...changeTexts(sums[0], say)}),
    picture: (width) => comparedBars(width, rows, devices[0], say),
    below: [
      table([say("kernel"), ...devices.map((device) => device.id)],
        [
          ...rows.map((row) => comparedCells(cut(row.kernel.name, 60), row.times, say)),
          comparedCells(say("sum"), sums, say),
        ]),
      onlyIn(data.run, view.kernels.filter((kernel) => !oldOf(kernel)), say),
      onlyIn(data.before.run,
        data.before.kernels.filter(
          (old) => !data.kernels.some((kernel) => kernel.name === old.name)),
        say),
      h("h3", {}, say("changed", {kernel: cut(pair.kernel.name, 60)})),
      changedMetrics(pair, say),
    ],
  };
};

function changeTexts([before, after], say) {
  const faster = after <= before;
  const factor = times(faster ? before / after : after / before);
  return {
    before: duration(before),
    after: duration(after),
    change: say(faster ? "faster" : "slower", {factor}),
  };
}

function comparedBars(width, rows, device, say) {
  const mostDrawn = 12;
  const drawn = rows.slice().sort((a, b) => b.times[0][1] - a.times[0][1]).slice(0, mostDrawn);
  return groupedBars({
    width,
    label: say("label"),
    format: duration,
    titleOf: say,
    axisTitle: say("axis", {device: device.id}),
    rows: drawn.map((row) => ({name: row.kernel.name, values: row.times[0]})),
    columns: [
      {name: say("old", {run: cut(data.before.run, 30)}), index: 6},
      {name: say("new", {run: cut(data.run, 30)}), index: 0},
    ],
  });
}

function comparedCells(name, pairs, say) {
  const cells = pairs.map((pair) => {
    const texts = changeTexts(pair, say);
    return h("td", {}, say("times", texts), h("span", {class: "quiet"}, ` ${texts.change}`));
  });
  return h("tr", {}, h("th", {scope: "row"}, name), cells);
}

function onlyIn(run, kernels, say) {
  const names = kernels.map((kernel) => cut(kernel.name, 40));
  return names.length ? h("p", {}, say("onlyIn", {run, kernels: listed(names)})) : null;
}

function changedMetrics({kernel, old}, say) {
  const mostShown = 20;
  const relative = ({before, after}) => before ? (after - before) / Math.abs(before) : Infinity;
  const changes =
    data.catalogue.map((row, i) => ({row, before: old.metrics[i], after: kernel.metrics[i]}))
      .filter(({before, after}) => before !== after)
      .map((change) => ({...change, relative: relative(change)}))
      .sort((a, b) => Math.abs(b.relative) - Math.abs(a.relative));
  if (!changes.length) return h("p", {}, say("noMetric"));
  return table(columns(say), changes.slice(0, mostShown).map(changedCells));
}
function changedCells({row, before, after, relative}) {
  const sign = relative > 0 ? "+" : "";
  return h("tr", {}, h("th", {scope: "row", title: row.definition}, h("code", {}, row.key)),
    h("td", {}, valueText(before)), h("td", {}, valueText(after)),
    h("td", {}, Number.isFinite(relative) ? `${sign}${digits(100 * relative, 3)} %` : ""));
}
