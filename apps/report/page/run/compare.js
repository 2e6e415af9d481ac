// With another run: the times before and after, and what the kernels cost.

// The kernels that both runs have, with their times on each device, and the sums of these.
function comparison(view) {
  const oldOf = (kernel) => data.before.kernels.find((old) => old.name === kernel.name);
  const pairs =
    view.kernels.map((kernel) => ({kernel, old: oldOf(kernel)})).filter((pair) => pair.old);
  const devices = view.entries.map((entry) => entry.device)
                    .filter((device) => pairs.every(({old}) => isLaunchedOn(old, device)));
  if (!pairs.length || !devices.length) return null;
  const changeOn = (olds, news, device) => {
    const [before, after] = [olds, news].map((kernels) => entryOf(kernels, device, view.exposed));
    return changeOfEntry(before, after);
  };
  const rows = pairs.map((pair) => ({
    ...pair,
    changes: devices.map((device) => changeOn([pair.old], [pair.kernel], device)),
  }));
  const sums = devices.map(
    (device) => changeOn(pairs.map((pair) => pair.old), pairs.map((pair) => pair.kernel), device));
  return {rows, sums, devices, oldOf};
}

// A change of a time: its factor, 1 or more, and in which direction.
function changeOf(before, after, sameWithin = 1.005) {
  const ratio = after / before;
  const factor = Math.max(ratio, 1 / ratio);
  const isSame = !(factor >= sameWithin);
  return {before, after, factor, isSame, isSlower: !isSame && ratio > 1};
}
// And the probability that it goes in that direction. The errors of two versions of a kernel are
// taken to be as alike as those of two devices.
function changeOfEntry(before, after) {
  const change = changeOf(before.micros, after.micros);
  const [fast, slow] = change.isSlower ? [before, after] : [after, before];
  const probability = change.isSame ? null : probabilityOfFaster(fast, slow, data.errorCorrelation);
  return {...change, probability};
}
function changeText(change, say) {
  if (change.isSame || !Number.isFinite(change.factor)) return say("same");
  return say(change.isSlower ? "slower" : "faster", {factor: times(change.factor)});
}
const changeClass = ({isSame, isSlower}) => isSame ? "quiet" : isSlower ? "worse" : "better";

// What the page says first of a comparison.
function comparedSentence(view) {
  const row = data.views.find(({name}) => name === "compare");
  const say = sayerOf(row);
  const found = comparison(view);
  if (!found) return say("none", {run: data.before.run});
  // Devices with the same change and the same reason are named together.
  const groups = [];
  found.devices.forEach((device, d) => {
    const sum = found.sums[d];
    const slower =
      found.rows.filter(({changes}) => changes[d].isSlower && changes[d].after > 0.01 * sum.after)
        .sort((a, b) => (b.changes[d].after - b.changes[d].before) -
            (a.changes[d].after - a.changes[d].before));
    const change = changeText(sum, say);
    const because = found.rows.length > 1 && slower.length ? say("because", {
      kernel: cut(slower[0].kernel.name, 40),
      factor: times(slower[0].changes[d].factor),
    }) :
                                                             "";
    const group = groups.find((one) => one.change === change && one.because === because);
    if (group)
      group.devices.push(device.id);
    else
      groups.push({change, because, devices: [device.id]});
  });
  const parts = groups.map(
    ({change, because, devices}) => say("on", {change, because, devices: listed(devices)}));
  return say("sentence", {run: data.run, before: data.before.run, changes: parts.join("; ")});
}

views.compare = (view, say) => {
  if (!data.before) return null;
  const found = comparison(view);
  if (!found) return {above: h("p", {}, say("none", {run: data.before.run}))};
  const {rows, sums, devices, oldOf} = found;
  const pair = rows.find((one) => one.kernel === view.focus) || rows[0];
  const byTime = rows.slice().sort((a, b) => b.changes[0].after - a.changes[0].after);
  return {
    caption: say("caption", {
      device: devices[0].id,
      before: duration(sums[0].before),
      after: duration(sums[0].after),
      change: changeText(sums[0], say),
    }),
    picture: (width) => comparedBars(width, byTime, devices[0], say),
    below: [
      table([say("kernel"), ...devices.map((device) => device.id)],
        [
          ...byTime.map((row) => comparedCells(cut(row.kernel.name, 60), row.changes, say)),
          rows.length > 1 ? comparedCells(say("sum"), sums, say) : null,
        ].filter(Boolean),
        "compared"),
      h("p", {class: "quiet"}, say("certainty")),
      onlyIn(data.run, view.kernels.filter((kernel) => !oldOf(kernel)), say),
      onlyIn(data.before.run,
        data.before.kernels.filter(
          (old) => !data.kernels.some((kernel) => kernel.name === old.name)),
        say),
      h("h3", {}, say("changed", {kernel: cut(pair.kernel.name, 60)})),
      changedCosts(pair, say),
    ],
  };
};

function comparedBars(width, rows, device, say) {
  const mostDrawn = 12;
  return groupedBars({
    width,
    label: say("label"),
    format: duration,
    titleOf: say,
    axisTitle: say("axis", {device: device.id}),
    rows: rows.slice(0, mostDrawn).map(({kernel, changes}) => ({
      name: kernel.name,
      values: [changes[0].before, changes[0].after],
    })),
    columns: [
      {name: say("old", {run: cut(data.before.run, 30)}), index: looks.before},
      {name: say("new", {run: cut(data.run, 30)}), index: looks.after},
    ],
  });
}

function comparedCells(name, changes, say) {
  const cells = changes.map((change) => {
    const {before, after, probability, isSame} = change;
    const sure = isSame || !Number.isFinite(change.factor) ? "" : ` (${percent(probability)})`;
    return h("td", {class: changeClass(change)},
      say("times", {before: duration(before), after: duration(after)}), h("br"),
      `${changeText(change, say)}${sure}`);
  });
  return h("tr", {}, h("th", {scope: "row"}, name), cells);
}

function onlyIn(run, kernels, say) {
  const names = kernels.map((kernel) => cut(kernel.name, 40));
  return names.length ? h("p", {}, say("onlyIn", {run, kernels: listed(names)})) : null;
}

// What the kernel costs, wherever it runs, where that changed.
function changedCosts({kernel, old}, say) {
  const changes =
    data.costMetrics.map((row, i) => ({row, before: old.costs[i], after: kernel.costs[i]}))
      .filter(({before, after}) => before !== after);
  if (!changes.length) return h("p", {}, say("noCost"));
  return table(columns(say), changes.map((one) => changedCells(one, say)));
}
function changedCells({row, before, after}, say) {
  const amount = (value) =>
    row.isShare && value !== null ? percent(value) : shortValue(value, row.unit);
  const relative = before ? (after - before) / Math.abs(before) : null;
  const change = relative === null ? before === 0 ? say("isNew") : "" :
                                     `${relative > 0 ? "+" : ""}${digits(100 * relative, 3)} %`;
  const isBetter = (after < before) === row.fewerIsBetter;
  return h("tr", {}, h("th", {scope: "row"}, row.name), h("td", {}, amount(before)),
    h("td", {}, amount(after)), h("td", {}, change),
    h("td", {class: isBetter ? "better" : "worse"}, say(isBetter ? "better" : "worse")));
}
