// The sections of the page. Each takes the view (what was chosen, and what follows from it) and
// returns elements.

// The verdict

function verdict(view) {
  const entries = view.entries;
  if (!entries.length) return { sentence: "None of the chosen devices has all the parameters that the model needs.", sure: [] };
  const best = entries[0];
  const ties = entries.filter((entry) => entry.tie);
  const range = `${duration(best.low)} to ${duration(best.high)}`;
  const what = view.kernels.length === data.kernels.length ? "the run" : plural(view.kernels.length, "kernel");
  let sentence;
  if (entries.length === 1)
    sentence = `${best.device.id} takes about ${duration(best.micros)} for ${what}.`;
  else if (ties.length === entries.length - 1)
    sentence = `${entries.length} of ${entries.length} devices lie within the model's error: measure before you buy.`;
  else if (ties.length)
    sentence = `${listed([best, ...ties].map((entry) => entry.device.id))} lie within the model's error of each other: measure these before you buy. ${entries.length - ties.length - 1} of ${entries.length} devices ${entries.length - ties.length === 2 ? "is" : "are"} slower than that.`;
  else
    sentence = `${best.device.id} is the fastest of ${entries.length} devices, by more than the model's error: ${duration(best.micros)} for ${what}, ${times(entries[1].relative)} faster than ${entries[1].device.id}.`;
  const sure = [`Of four in five programs that the model was not fitted to, the time lies in its interval; for ${best.device.id}, which it ${best.device.deviation ? "was fitted to" : "has never been fitted to"}, that is ${range}.`];
  return { sentence, sure };
}

function doubts(view) {
  const found = [];
  const short = view.entries.filter((entry) => entry.terms.launch > entry.micros / 2).map((entry) => entry.device.id);
  if (short.length) found.push(`Starting the kernels takes more than half of the time on ${listed(short)}: the problem is too small to rank these devices.`);
  const moved = view.entries.filter((entry) => view.transfersKnown && entry.allTransfers > entry.micros - entry.transfers).map((entry) => entry.device.id);
  if (moved.length) found.push(`All transfers between host and device would take longer than the kernels on ${listed(moved)}.`);
  for (const kernel of view.kernels) {
    if (kernel.unseen.length) found.push(`${cut(kernel.name, 60)} is unlike all kernels that the model was fitted to: ${kernel.unseen.join("; ")}.`);
    if (kernel.simulatorErrors) found.push(`The simulator reported ${plural(kernel.simulatorErrors, "error")} in ${cut(kernel.name, 60)}: mend the kernel before you trust its numbers.`);
    if (kernel.sampled) found.push(`${plural(kernel.sampled, "launch", "launches")} of ${cut(kernel.name, 60)}: estimates, from a sample of the work-groups.`);
    if (kernel.leftOut) found.push(`${kernel.leftOut} of ${kernel.leftOut + kernel.launches} launches of ${cut(kernel.name, 60)} are left out: ${kernel.leftOutReason}.`);
    if (kernel.pooled) found.push(`The launches of ${cut(kernel.name, 60)} differ so much that they are taken as ${kernel.groups.length} kinds of launches; aiwc predict takes each by itself.`);
  }
  for (const reason of data.leftOut) found.push(`Left out: ${reason}.`);
  for (const out of view.ruledOut) found.push(`${out.device.id} is left out, because its profile lacks ${listed(out.keys)}.`);
  const full = view.entries.filter((entry) => parameter(entry.device, "memory") !== null && view.kernels.some((kernel) => kernel.footprint > parameter(entry.device, "memory")));
  if (full.length) found.push(`The data does not fit into the memory of ${listed(full.map((entry) => entry.device.id))}.`);
  return found;
}

// Times

function rankingSection(view) {
  const changedAny = Object.keys(view.factors).length > 0;
  const rows = view.entries.map((entry) => ({
    name: entry.device.id, value: entry.micros, low: entry.low, high: entry.high, tie: entry.tie, index: view.lookOf(entry.device),
    before: changedAny ? view.unchanged.get(entry.device.id).micros : null,
  }));
  return section("ranking", "Ranking", rows.length ? chart(
    (width) => intervals({ width, label: "Predicted time by device, with intervals", rows }),
    `The mark is the predicted time of ${view.title}, the bar the interval that holds four of five times of programs that the model was not fitted to. Devices whose bars overlap that of the first are a tie.${changedAny ? " A ring is the device as it is, the mark the changed one." : ""}`) : h("p", {}, "No device to rank."),
    table(["device", "time", "80 % interval", "of the best", "most of it", "energy", ""],
      view.entries.map((entry) => h("tr", {}, h("th", { scope: "row", title: entry.device.name }, entry.device.id),
        h("td", {}, duration(entry.micros)), h("td", {}, `${duration(entry.low)} to ${duration(entry.high)}`), h("td", {}, digits(entry.relative, 2)),
        h("td", {}, `${partName(entry.boundBy)} (${percent((entry.boundBy === "transfers" ? entry.transfers : entry.terms[entry.boundBy]) / entry.micros)})`),
        h("td", {}, entry.joules === null ? "" : `${short(entry.joules * (entry.joules < 1 ? 1e3 : 1))} ${entry.joules < 1 ? "mJ" : "J"}`),
        h("td", {}, entry.tie ? "tie" : entry.device.deviation ? "" : "not measured")))));
}
const partName = (key) => (parts.find((part) => part.key === key) || { name: key }).name;

function kernelsSection(view) {
  const most = 16;
  const all = view.kernels.map((kernel) => ({ kernel, values: view.entries.map((entry) => costOf([kernel], entry.device, view.exposed).micros) }))
    .sort((a, b) => b.values[0] - a.values[0]);
  const totals = view.entries.map((entry) => entry.micros);
  const rows = all.slice(0, most).map(({ kernel, values }) => ({ name: kernel.name, values }));
  if (!rows.length || !totals.length) return null;
  return section("kernels", "Time by kernel",
    chart((width) => groupedBars({ width, label: "Predicted time by kernel and device", rows, format: duration, caption: "predicted time of all launches",
      columns: view.entries.map((entry) => ({ name: entry.device.id, index: view.lookOf(entry.device) })) }),
      `How the time divides among the kernels, all launches of a kernel together: ${cut(all[0].kernel.name, 40)} takes ${percent(all[0].values[0] / totals[0])} of the time on ${view.entries[0].device.id}.${all.length > most ? ` The chart has the ${most} longest of ${all.length}; the table has all.` : ""}`),
    table(["kernel", "launches", ...view.entries.map((entry) => entry.device.id), "share"],
      all.map(({ kernel, values }) => h("tr", {}, h("th", { scope: "row", title: kernel.title }, cut(kernel.name, 60)), h("td", {}, digits(kernel.launches, 15)),
        values.map((value) => h("td", {}, duration(value))), h("td", {}, percent(values[0] / totals[0])))), "tall"));
}

function whySection(view) {
  const rows = [...parts, { key: "transfers", name: "transfers" }]
    .map((part) => ({ name: part.name, values: view.entries.map((entry) => (part.key === "transfers" ? entry.transfers : entry.terms[part.key]) / entry.micros) }))
    .filter((row) => Math.max(0, ...row.values) >= 0.005)
    .sort((a, b) => b.values.reduce((x, y) => x + y, 0) - a.values.reduce((x, y) => x + y, 0));
  if (!rows.length) return null;
  const best = view.entries[0];
  const perRow = (width) => Math.max(1, Math.floor((width - 130) / 105));
  return section("why", "Why",
    chart((width) => {
      const step = perRow(width);
      const blocks = [];
      for (let i = 0; i < view.entries.length; i += step) {
        const some = view.entries.slice(i, i + step);
        blocks.push(shareMatrix({ width, label: "Parts of the predicted time by device",
          rows: rows.map((row) => ({ ...row, values: row.values.slice(i, i + step) })),
          columns: some.map((entry) => ({ name: entry.device.id, index: view.lookOf(entry.device), total: duration(entry.micros) })) }));
      }
      return h("div", {}, blocks);
    }, `Which part of its time each device spends on what: on ${best.device.id}, most of it is ${partName(best.boundBy)}. A device with more of what the longest bar needs is faster; parts below half a percent are left out.`));
}

// The machine

function rooflineSection(view) {
  if (!view.entries.length) return null;
  const some = view.kernels.slice(0, 12);
  const floating = some.some((kernel) => kernel.floatingPoint);
  const shown = view.entries.slice(0, 6);
  const roofs = shown.map((entry) => {
    const rate = parameter(entry.device, "fp32_rate") ?? parameter(entry.device, "fp64_rate");
    return { entry, peak: rate === null ? null : parameter(entry.device, "cores") * rate, slope: parameter(entry.device, "dram_bandwidth") };
  }).filter((roof) => roof.peak !== null);
  const points = [];
  some.forEach((kernel, number) => {
    if (!(kernel.operations > 0)) return;
    for (const roof of roofs) {
      const missed = missedBytes(kernel.misses, Math.floor(parameter(roof.entry.device, "cache_size")));
      const micros = costOf([kernel], roof.entry.device, 0).micros;
      points.push({ roof, number: number + 1, kernel, x: kernel.operations / Math.max(missed, 1), y: kernel.operations / micros / 1e3 });
    }
  });
  if (!points.length) return section("roofline", "Roofline", h("p", {}, "The chosen kernels compute nothing, or no device has a known peak."));
  const xs = points.map((point) => point.x).concat(roofs.map((roof) => roof.peak / roof.slope));
  const xMin = 10 ** Math.floor(Math.log10(Math.min(...xs) / 2));
  const xMax = 10 ** Math.ceil(Math.log10(Math.max(...xs) * 2));
  const ys = points.map((point) => point.y);
  const yMin = 10 ** Math.floor(Math.log10(Math.min(...ys)));
  const yMax = 10 ** Math.ceil(Math.log10(Math.max(...roofs.map((roof) => roof.peak))));
  const shares = points.filter((p) => p.roof.entry === shown[0]).map((p) => p.y / Math.min(p.roof.peak, p.x * p.roof.slope));
  const reached = [...new Set([Math.min(...shares), Math.max(...shares)].map(percent))];
  return section("roofline", "Roofline",
    chart((width) => plot({ width, height: 400, label: "Roofline: operations per second over operations per byte",
      x: { min: xMin, max: xMax, scale: "log", format: short, label: `${floating ? "floating-point operations" : "instructions"} per byte of DRAM` },
      y: { min: yMin, max: yMax, scale: "log", format: short, label: "10⁹ per second" },
      legends: roofs.map((roof) => ({ name: roof.entry.device.id, index: view.lookOf(roof.entry.device), line: true })),
      series: [...roofs.map((roof) => ({ name: `${roof.entry.device.id}: at most ${short(roof.peak)} × 10⁹ per second, ${short(roof.slope)} GB/s`, index: view.lookOf(roof.entry.device), line: true, marks: false,
        points: [[Math.max(xMin, yMin / roof.slope), Math.max(xMin, yMin / roof.slope) * roof.slope], [roof.peak / roof.slope, roof.peak], [xMax, roof.peak]] })),
      ...points.map((point) => ({ name: point.kernel.name, index: view.lookOf(point.roof.entry.device),
        points: [[point.x, point.y, `${point.number} ${point.kernel.name} on ${point.roof.entry.device.id}: ${short(point.y)} × 10⁹ per second, ${short(point.x)} per byte`]] }))],
      texts: points.filter((point) => point.roof === roofs[0]).map((point) => ({ x: point.x, y: point.y, text: String(point.number), dy: -8, anchor: "middle" })),
    }), `A line is what a device can reach, a mark what it is predicted to reach with a kernel (${some.map((kernel, i) => `${i + 1} ${cut(kernel.name, 32)}`).join(", ")}). Below the slope memory limits, below the flat part the cores do; a mark far below its line waits for something else.${shares.length ? ` On ${shown[0].device.id} the kernels reach ${reached.join(" to ")} of it.` : ""}`));
}

function cacheSection(view) {
  const some = view.kernels.slice(0, markers.length).filter((kernel) => kernel.misses.some((curve) => curve.cold + curve.all > 0));
  if (!some.length) return section("caches", "Caches", h("p", {}, "The chosen kernels access no global memory."));
  const verticals = [];
  for (const device of view.devices.slice(0, 6))
    for (const [symbol, name] of [["l1", "L1"], ["l2", "L2"], ["l3", "L3"]])
      if (parameter(device, symbol) !== null)
        verticals.push({ x: parameter(device, symbol), label: `${device.id} ${name}`, index: view.lookOf(device) });
  const ratioOf = (kernel, bytes) => {
    const all = kernel.misses.reduce((sum, curve) => sum + curve.launches * (curve.cold + curve.all), 0);
    return kernel.misses.reduce((sum, curve) => sum + curve.launches * missedAccesses(curve, bytes), 0) / all;
  };
  const max = Math.max(2 ** 26, ...verticals.map((vertical) => vertical.x * 1.1));
  const series = some.map((kernel) => {
    const index = view.kernels.indexOf(kernel);
    const points = [];
    for (let bytes = 64; bytes <= max; bytes *= 2 ** 0.125) {
      const size = Math.round(bytes);
      points.push([size, ratioOf(kernel, size), `${kernel.name}: ${percent(ratioOf(kernel, size))} misses with ${bytesText(size)}`]);
    }
    return { name: kernel.name, index, points, line: true };
  });
  const first = some[0];
  const fits = series[0].points.find((point) => point[1] <= series[0].points.at(-1)[1] + 0.01);
  return section("caches", "Caches",
    chart((width) => plot({ width, height: 360, label: "Miss ratio over the size of a cache", series, verticals,
      x: { min: 64, max, scale: "log2", format: bytesText, label: "size of the cache" },
      y: { min: 0, max: 1, format: (value) => percent(value), label: "accesses of lines that miss" } }),
      `How many accesses of cache lines miss a cache of each size (fully associative, least recently used leaves), all launches together. Vertical lines are the caches of the devices. ${cut(first.name, 40)} needs ${bytesText(fits[0])}; a larger cache serves nothing more.`));
}

function parallelismSection(view) {
  const some = view.kernels.slice(0, markers.length).filter((kernel) => kernel.levels.length);
  if (!some.length) return section("parallelism", "Parallelism", h("p", {}, "The chosen kernels have no floating-point operations, so there is no schedule of them."));
  const series = some.map((kernel) => {
    const index = view.kernels.indexOf(kernel);
    const all = kernel.levels.reduce((sum, row) => sum + row[1], 0);
    let left = all;
    const points = [[1, 1]];
    for (const [width, operations] of kernel.levels) {
      points.push([Math.max(1, width), left / all, `${kernel.name}: ${percent(left / all)} of the operations are in levels of ${digits(width, 15)} or more`]);
      left -= operations;
      points.push([Math.max(1, width) * 1.0001, Math.max(0, left / all)]);
    }
    return { name: kernel.name, index, points, line: true };
  });
  const verticals = view.devices.slice(0, 8).filter((device) => parameter(device, "cores") !== null)
    .map((device) => ({ x: parameter(device, "cores"), label: `${device.id} cores`, index: view.lookOf(device) }));
  const max = Math.max(...series.flatMap((one) => one.points.map((point) => point[0])), ...verticals.map((v) => v.x)) * 2;
  const kernel = some[0];
  const widest = kernel.levels.at(-1)[0];
  return section("parallelism", "Parallelism",
    chart((width) => plot({ width, height: 340, label: "Widths of the levels of the schedule", series, verticals,
      x: { min: 1, max, scale: "log", format: short, label: "floating-point operations that can run at once (width of a level)" },
      y: { min: 0, max: 1, format: (value) => percent(value), label: "operations in levels as wide" } }),
      `The share of the floating-point operations that at least so many others can accompany, if nothing but data holds them up. Vertical lines are the cores of the devices: left of the fall, they are busy. The widest level of ${cut(kernel.name, 40)} has ${short(widest)} operations.`));
}

function radarSection(view) {
  const some = view.kernels.slice(0, 6);
  if (!some.length) return null;
  const scaled = (key) => {
    const most = Math.max(...data.kernels.map((kernel) => metric(kernel, key) || 0));
    const { fraction } = data.catalogue[metricPlace[key]];
    return (value) => !value ? 0 : fraction ? value : isLinear(key) ? value / most : Math.log1p(value) / Math.log1p(most);
  };
  const axes = radarAxes.map(([key, name]) => ({ key, name, scaled: scaled(key) }));
  return section("radar", "Profile",
    chart((width) => radar({ width, label: "Radar of AIWC metrics", axes,
      series: some.map((kernel, index) => ({ name: kernel.name, index,
        values: axes.map((axis) => Math.min(1, axis.scaled(metric(kernel, axis.key)))),
        texts: axes.map((axis) => valueText(metric(kernel, axis.key))) })) }),
      `What the kernels are like, independently of any device: ${axes.length} metrics of AIWC. Shares go from 0 in the middle to 1; of others, the rim is the largest value of any kernel of this run, counts on a logarithmic scale. Kernels of the same shape ask for the same device.`));
}

// Lines

const heatMeasures = [
  { key: "instructions", name: "instructions", of: (row) => row[1], what: "the instructions" },
  { key: "misses", name: "cache misses", of: (row, view) => row[10 + view.cache], what: "the cache misses" },
  { key: "idle", name: "idle lanes", of: (row, view) => row[6 + view.lanes], what: "the lanes that wait" },
  { key: "branches", name: "mispredicted branches", of: (row) => row[5], what: "the branches that history does not foretell" },
];
function heatSection(view) {
  const kernel = view.focus;
  const measure = heatMeasures.find((one) => one.key === view.heat) || heatMeasures[0];
  const total = kernel.lines.reduce((sum, row) => sum + measure.of(row, view), 0);
  const byLine = new Map(kernel.lines.map((row) => [row[0], row]));
  const marks = new Map();
  kernel.findings.forEach((finding, i) => finding.evidence.forEach(([line]) => {
    if (line) marks.set(line, [...new Set([...(marks.get(line) || []), i + 1])]);
  }));
  const most = Math.max(1, ...kernel.lines.map((row) => measure.of(row, view)));
  const rowOf = (number, text) => {
    const row = byLine.get(number);
    const value = row ? measure.of(row, view) : 0;
    const strength = value / most;
    return h("tr", { class: !row ? "cold" : value === most ? "hottest" : null, style: row ? `--heat:${(100 * strength).toFixed(0)}%` : null },
      h("td", { class: "number" }, number || "?"), h("td", { class: "number" }, row && total ? percent(value / total) : ""),
      h("td", { class: "heatbar" }, row ? h("span", { style: `width:${(100 * strength).toFixed(1)}%` }) : null),
      h("td", { class: "finding" }, marks.has(number) ? marks.get(number).join(" ") : ""), h("td", { class: "code" }, text));
  };
  const rows = [];
  if (kernel.source.length) {
    kernel.source.forEach((block, i) => {
      if (i) rows.push(h("tr", { class: "cold" }, h("td", { colspan: 5 }, "…")));
      block.slice(1).forEach((text, k) => rows.push(rowOf(block[0] + k, text)));
    });
    if (byLine.has(0)) rows.push(rowOf(0, "(without a line)"));
  } else {
    for (const row of kernel.lines) rows.push(rowOf(row[0], row[0] ? `line ${row[0]}` : "(without a line)"));
  }
  const hottest = kernel.lines.reduce((best, row) => !best || measure.of(row, view) > measure.of(best, view) ? row : best, null);
  // The hottest line in the middle of what is seen.
  scrollers.push(() => {
    const box = document.querySelector(".code-scroll");
    const hot = box && box.querySelector("tr.hottest");
    if (hot) box.scrollTop = hot.offsetTop - box.clientHeight / 2;
  });
  return section("source", "Source lines",
    h("p", { class: "controls" }, select("heat", "Shade by", heatMeasures.map((one) => [one.key, one.name]), measure.key),
      measure.key === "misses" ? select("cache", "of a cache of", data.cacheBytes.map((bytes, i) => [i, bytesText(bytes)]), view.cache) : null,
      measure.key === "idle" ? select("lanes", "in groups of", laneWidths.map((width, i) => [i, `${width} lanes`]), view.lanes) : null),
    kernel.lines.length ? h("figure", {},
      h("div", { class: "scroll code-scroll", tabindex: 0, role: "region", "aria-label": "source lines" }, h("table", { class: "heat" },
        h("thead", {}, h("tr", {}, ["line", "share", "", "finding"].map((name) => h("th", { scope: "col" }, name)), h("th", { scope: "col", class: "text" }, kernel.sourceName || "source"))), h("tbody", {}, rows))),
      h("figcaption", {}, `Where ${measure.what} of ${cut(kernel.name, 60)} are: ${hottest && total ? `line ${hottest[0] || "?"} has ${percent(measure.of(hottest, view) / total)} of them.` : "there are none."} Numbers under “finding” are those of the list above.${kernel.source.length ? "" : " The source was not given; --source adds its text."}${kernel.linesLeftOut ? ` ${plural(kernel.linesLeftOut, "line")} with few instructions are left out.` : ""}`))
      : h("p", {}, "The profile has no lines: the program was built without them."));
}

function findingsList(findings) {
  if (!findings.length) return h("p", {}, "Nothing found that would gain 5 % or more.");
  return h("ol", { class: "findings" }, findings.map((finding) => h("li", {},
    h("strong", {}, finding.title), gainsText(finding), h("p", {}, finding.problem),
    finding.evidence.length ? h("ul", {}, finding.evidence.map(([line, text]) => h("li", {}, line ? `line ${line}: ${text}` : text))) : null,
    h("p", { class: "remedy" }, finding.remedy))));
}
function gainsText(finding) {
  const gains = finding.gains.filter(([, factor]) => factor >= 1.05).sort((a, b) => b[1] - a[1]);
  return gains.length ? `: at most ${gains.map(([device, factor]) => `${times(factor)} on ${device}`).join(", ")}` : "";
}
function findingsSection(view) {
  return section("findings", "Findings",
    h("h3", {}, cut(view.focus.name, 80)), h("p", { class: "quiet" }, view.focus.title),
    findingsList(view.focus.findings),
    data.application.length ? [h("h3", {}, "The whole run"), findingsList(data.application)] : null,
    h("p", { class: "quiet" }, `Factors are bounds by the model, for the devices that the report was written for (${listed(data.chosen)}), unchanged: they tell what to try first.`),
    view.focus.description.length ? h("details", { open: true }, h("summary", {}, "In words"), h("dl", {}, view.focus.description.map(([subject, text]) => [h("dt", {}, subject), h("dd", {}, text)]))) : null);
}

function splitSection(view) {
  const kernel = view.focus;
  const devices = view.entries.map((entry) => entry.device);
  if (!kernel.main || !devices.length) return null;
  if (devices.length < 2) return section("split", "Split", h("p", {}, "Choose two devices or more to divide a launch among them."));
  const split = splitOf(kernel, devices, kernel.transfersKnown ? view.exposed : 0);
  const single = Math.min(...split.single);
  const alone = devices[split.single.indexOf(single)];
  const used = split.shares.filter((share) => share.groups > 0);
  const gain = single / split.makespan;
  return section("split", "Split",
    chart((width) => gantt({ width, label: "A launch divided among the devices", axisTitle: "time since the common start",
      panels: [{ rows: split.shares.map((share) => shareRow(share, split.groups, view)) }],
      lines: [{ x: split.makespan, text: `all done: ${duration(split.makespan)}` }, ...(gain > 1.02 ? [{ x: single, text: `${alone.id} by itself: ${duration(single)}` }] : [])] }),
      used.length > 1
        ? `The longest launch of ${cut(kernel.name, 40)} (${plural(split.groups, "work-group")}), divided along ${"xyz"[split.dimension]} so that the last device ends as early as possible: ${times(gain)} faster than ${alone.id} by itself, as aiwc split says. Devices work at the same time, each with its own link.`
        : `The longest launch of ${cut(kernel.name, 40)} (${plural(split.groups, "work-group")}) is done first if ${used[0].device.id} does all of it: dividing it would gain nothing.`));
}

function shareRow({ device, groups, micros }, all, view) {
  const text = `${plural(groups, "work-group")}, ${percent(groups / all)}`;
  const bar = { begin: 0, end: micros, index: view.lookOf(device), text, beside: true, title: `${device.id}: ${text}, ends after ${duration(micros)}` };
  return { name: device.id, empty: "nothing", bars: groups ? [bar] : [] };
}

// Numbers

function metricsSection(view) {
  const some = [view.focus, ...view.kernels.filter((kernel) => kernel !== view.focus)].slice(0, 5);
  const matches = (row, text) => !text || `${row.key} ${row.name} ${row.category} ${row.definition}`.toLowerCase().includes(text.toLowerCase());
  const rows = [];
  const count = h("span", { class: "quiet", role: "status" });
  const filter = (text) => {
    let shown = 0;
    for (const { row, element } of rows) {
      const match = matches(row, text);
      element.hidden = !match;
      shown += match ? 1 : 0;
    }
    count.textContent = ` ${shown} of ${rows.length} metrics`;
  };
  data.catalogue.forEach((row, i) => rows.push({ row, element: h("tr", {},
    h("th", { scope: "row" }, h("code", {}, row.key), row.name !== row.key ? h("span", { class: "quiet" }, ` ${row.name}`) : null),
    some.map((kernel) => h("td", {}, valueText(kernel.metrics[i]), kernel.errors && kernel.errors[i] ? h("span", { class: "quiet" }, ` ± ${digits(kernel.errors[i], 2)}`) : null)),
    h("td", {}, row.unit), h("td", { class: "text" }, row.definition)) }));
  filter(view.query);
  return section("metrics", "All metrics",
    h("p", { class: "controls" }, h("label", {}, "Search ", h("input", { type: "search", id: "query", value: view.query, placeholder: "entropy, bytes, fp_ops …",
      oninput: (event) => { filter(event.target.value); view.remember({ query: event.target.value }); } })), count),
    table(["metric", ...some.map((kernel) => cut(kernel.name, 28)), "unit", "definition"], rows.map((one) => one.element), "metrics"),
    h("p", { class: "quiet" }, "Of the launch of each kernel that executes most instructions. These numbers depend on no device."));
}

function compareSection(view) {
  if (!data.before) return null;
  const pairs = view.kernels.map((kernel) => ({ kernel, old: data.before.kernels.find((other) => other.name === kernel.name) })).filter((pair) => pair.old);
  const missing = data.before.kernels.filter((old) => !data.kernels.some((kernel) => kernel.name === old.name)).map((old) => cut(old.name, 40));
  const isNew = view.kernels.filter((kernel) => !data.before.kernels.some((old) => old.name === kernel.name)).map((kernel) => cut(kernel.name, 40));
  const devices = view.entries.map((entry) => entry.device);
  if (!pairs.length || !devices.length) return section("compare", "Comparison", h("p", {}, `${data.before.run} has none of these kernels.`));
  const timesOf = ({ kernel, old }) => devices.map((device) => [costOf([old], device, view.exposed).micros, costOf([kernel], device, view.exposed).micros]);
  const all = pairs.map((pair) => ({ ...pair, times: timesOf(pair) }));
  const sum = devices.map((_, d) => [0, 1].map((i) => all.reduce((total, row) => total + row.times[d][i], 0)));
  const cells = (rows) => rows.map(([before, after]) => h("td", {}, `${duration(before)} → ${duration(after)}`, h("span", { class: "quiet" }, ` ${after <= before ? times(before / after) + " faster" : times(after / before) + " slower"}`)));
  const { old } = pairs.find((pair) => pair.kernel === view.focus) || pairs[0];
  const focus = pairs.some((pair) => pair.kernel === view.focus) ? view.focus : pairs[0].kernel;
  const changes = data.catalogue.map((row, i) => ({ row, before: old.metrics[i], after: focus.metrics[i] }))
    .filter(({ before, after }) => before !== after)
    .map((change) => ({ ...change, relative: change.before ? (change.after - change.before) / Math.abs(change.before) : Infinity }))
    .sort((a, b) => Math.abs(b.relative) - Math.abs(a.relative));
  const drawn = all.slice().sort((a, b) => b.times[0][1] - a.times[0][1]).slice(0, 12);
  const [before, after] = sum[0];
  return section("compare", "Comparison",
    chart((width) => groupedBars({ width, label: "Time before and after by kernel", format: duration, caption: `predicted time on ${devices[0].id}`,
      rows: drawn.map((row) => ({ name: row.kernel.name, values: row.times[0] })), columns: [{ name: `${cut(data.before.run, 30)} (before)`, index: 6 }, { name: `${cut(data.run, 30)} (now)`, index: 0 }] }),
      `The kernels that both runs have, on ${devices[0].id}: ${duration(before)} before, ${duration(after)} now, ${after <= before ? times(before / after) + " faster" : times(after / before) + " slower"}.`),
    table(["kernel", ...devices.map((device) => device.id)], [...all.map((row) => h("tr", {}, h("th", { scope: "row" }, cut(row.kernel.name, 60)), cells(row.times))),
      h("tr", {}, h("th", { scope: "row" }, "all of these"), cells(sum))]),
    isNew.length ? h("p", {}, `Only in ${data.run}: ${listed(isNew)}.`) : null, missing.length ? h("p", {}, `Only in ${data.before.run}: ${listed(missing)}.`) : null,
    h("h3", {}, `What changed most in ${cut(focus.name, 60)}`),
    changes.length ? table(["metric", "before", "now", "change"], changes.slice(0, 20).map(({ row, before, after, relative }) => h("tr", {}, h("th", { scope: "row", title: row.definition }, h("code", {}, row.key)),
      h("td", {}, valueText(before)), h("td", {}, valueText(after)), h("td", {}, Number.isFinite(relative) ? `${relative > 0 ? "+" : ""}${digits(100 * relative, 3)} %` : ""))))
      : h("p", {}, "No metric of its longest launch."));
}
