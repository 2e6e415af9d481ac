// The page of a run: what was chosen, and the controls.

const sliders = ["cores", "clock", "dram_bandwidth", "cache_bandwidth", "cache_size", "host_bandwidth"];
const largestFactor = 8;

// The choice as it is written: only what differs from the start.
const start = { kernels: null, focus: null, devices: data.chosen, factors: {}, exposed: 0, heat: "instructions", cache: 1, lanes: 2, query: "", theme: "" };

function readFragment() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const numbers = (text) => text.split(",").map(Number).filter((i) => Number.isInteger(i) && i >= 0 && i < data.kernels.length);
  const next = { ...start };
  if (fields.has("k")) { const list = numbers(fields.get("k")); if (list.length) next.kernels = list; }
  if (fields.has("f")) { const list = numbers(fields.get("f")); if (list.length) [next.focus] = list; }
  next.devices = devicesIn(fields) || next.devices;
  next.factors = {};
  for (const text of (fields.get("w") || "").split(",")) {
    const [symbol, factor] = text.split(":");
    if (symbol in place && Number(factor) > 0) next.factors[symbol] = Number(factor);
  }
  const exposed = Number(fields.get("r"));
  if (exposed >= 0 && exposed <= 1) next.exposed = exposed;
  if (heatMeasures.some((one) => one.key === fields.get("heat"))) next.heat = fields.get("heat");
  if (fields.has("cache") && Number(fields.get("cache")) in data.cacheBytes) next.cache = Number(fields.get("cache"));
  if (fields.has("lanes") && Number(fields.get("lanes")) in laneWidths) next.lanes = Number(fields.get("lanes"));
  next.query = fields.get("q") || "";
  if (["light", "dark"].includes(fields.get("theme"))) next.theme = fields.get("theme");
  return next;
}
function fragmentOf(it) {
  const fields = new URLSearchParams();
  if (it.kernels) fields.set("k", it.kernels.join());
  if (it.focus !== null) fields.set("f", it.focus);
  if (it.devices.join() !== start.devices.join()) fields.set("d", it.devices.join());
  const factors = Object.entries(it.factors).filter(([, factor]) => factor !== 1);
  if (factors.length) fields.set("w", factors.map(([symbol, factor]) => `${symbol}:${factor}`).join());
  if (it.exposed) fields.set("r", it.exposed);
  for (const key of ["heat", "cache", "lanes"]) if (it[key] !== start[key]) fields.set(key, it[key]);
  if (it.query) fields.set("q", it.query);
  if (it.theme) fields.set("theme", it.theme);
  return fields.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
}

function viewOf() {
  const kernels = choice.kernels ? choice.kernels.map((i) => data.kernels[i]) : data.kernels.slice();
  const base = choice.devices.map((id) => data.devices.find((device) => device.id === id));
  const factors = Object.fromEntries(Object.entries(choice.factors).filter(([, factor]) => factor !== 1));
  const transfersKnown = kernels.every((kernel) => kernel.transfersKnown);
  const exposed = transfersKnown ? choice.exposed : 0;
  const ruledOut = base.map((device) => ({ device, keys: lacking(device, kernels) })).filter((out) => out.keys.length);
  const able = base.filter((device) => !ruledOut.some((out) => out.device === device));
  const devices = able.map((device) => changed(device, factors));
  // The kernel that takes longest first, on the fastest device as it is, so that a slider does not
  // exchange the looks of kernels.
  if (able.length) {
    const fastest = ranked(kernels, able, 0)[0].device;
    const weights = new Map(kernels.map((kernel) => [kernel, costOf([kernel], fastest, 0).micros]));
    kernels.sort((a, b) => weights.get(b) - weights.get(a));
  }
  return {
    kernels, base, devices, factors, exposed, transfersKnown, ruledOut,
    entries: able.length ? ranked(kernels, devices, exposed) : [],
    unchanged: new Map(able.map((device) => [device.id, entryOf(kernels, device, exposed)])),
    focus: choice.focus === null ? kernels[0] : data.kernels[choice.focus],
    heat: choice.heat, cache: choice.cache, lanes: choice.lanes, query: choice.query,
    title: kernels.length === 1 ? cut(kernels[0].name, 60) : kernels.length === data.kernels.length ? "all kernels" : `${kernels.length} kernels`,
    lookOf: (device) => choice.devices.indexOf(device.id),
    remember,
  };
}

// Controls

function controls(view) {
  const chosen = new Set(choice.kernels || data.kernels.map((_, i) => i));
  const toggleKernel = (i, on) => {
    if (on) chosen.add(i); else chosen.delete(i);
    set({ kernels: chosen.size === 0 || chosen.size === data.kernels.length ? null : [...chosen].sort((a, b) => a - b) });
  };
  const step = 12; // of a slider, per power of the largest factor
  const slider = (symbol) => {
    const row = data.parameters[place[symbol]];
    const factor = choice.factors[symbol] || 1;
    return h("label", { class: "slider" }, h("span", {}, row.description.replace(/[:,(].*/, "")),
      h("input", { type: "range", id: `w-${symbol}`, min: -step, max: step, value: Math.round(step * Math.log(factor) / Math.log(largestFactor)),
        "aria-valuetext": times(factor), onchange: (event) => {
          const value = Number(Math.pow(largestFactor, event.target.value / step).toPrecision(3));
          set({ factors: { ...choice.factors, [symbol]: value } });
        }, oninput: (event) => { event.target.nextSibling.textContent = times(Number(Math.pow(largestFactor, event.target.value / step).toPrecision(3))); } }),
      h("output", {}, times(factor)));
  };
  const whatIf = Object.entries(view.factors).map(([symbol, factor]) => `${symbol}=${factor}x`).join(",");
  return h("form", { class: "choices", onsubmit: (event) => event.preventDefault(), "aria-label": "What the page shows" },
    deviceChoice(),
    h("fieldset", {}, h("legend", {}, "Kernels"),
      data.kernels.length > 8
        ? h("details", { id: "kernel-list" }, h("summary", {}, `${chosen.size} of ${data.kernels.length} kernels`), data.kernels.map((kernel, i) => checkbox(cut(kernel.name, 40), chosen.has(i), (on) => toggleKernel(i, on), kernel.title)))
        : data.kernels.map((kernel, i) => checkbox(cut(kernel.name, 40), chosen.has(i), (on) => toggleKernel(i, on), kernel.title)),
      h("label", { class: "choice" }, "look at ", h("select", { id: "focus", onchange: (event) => set({ focus: Number(event.target.value) }) },
        data.kernels.map((kernel, i) => h("option", { value: i, selected: kernel === view.focus }, cut(kernel.name, 40)))))),
    h("details", { id: "what-if", open: whatIf !== "" || choice.exposed > 0 }, h("summary", {}, "What if the devices were different?"),
      h("div", { class: "sliders" }, sliders.map(slider),
        h("label", { class: "slider" }, h("span", {}, "share of the transfers that nothing hides"),
          h("input", { type: "range", id: "exposed", min: 0, max: 20, value: Math.round(20 * choice.exposed), disabled: !view.transfersKnown, "aria-valuetext": percent(choice.exposed),
            onchange: (event) => set({ exposed: event.target.value / 20 }) }), h("output", {}, percent(choice.exposed)))),
      h("p", { class: "quiet" }, whatIf || view.exposed ? ["The same numbers: ", h("code", {}, `aiwc predict RUN --devices ${choice.devices.join()}${whatIf ? ` --what-if ${whatIf}` : ""}${view.exposed ? ` --transfers ${view.exposed}` : ""}`), " ",
        h("button", { type: "button", id: "reset", onclick: () => set({ factors: {}, exposed: 0 }) }, "as they are")] : "Each slider multiplies a parameter of all devices.")));
}

function content() {
  const view = viewOf();
  const said = verdict(view);
  const doubtful = doubts(view);
  return {
    title: data.run,
    said: [h("p", { class: "verdict" }, said.sentence), said.sure.map((text) => h("p", {}, text)),
      doubtful.length ? h("details", { class: "doubts", open: doubtful.length < 4 }, h("summary", {}, plural(doubtful.length, "caveat")), h("ul", {}, doubtful.map((text) => h("li", {}, text)))) : null],
    controls: controls(view),
    sections: [
      rankingSection(view), kernelsSection(view), whySection(view), findingsSection(view), heatSection(view), splitSection(view), rooflineSection(view),
      cacheSection(view), parallelismSection(view), radarSection(view), likenessSection(view), compareSection(view), metricsSection(view),
    ],
    footer: `Written by ${data.tool}. Times are predicted by the ${data.model.name} model from profiles that are counted in a simulator: no device was used.`,
  };
}

// What the page shows as numbers, in the form of `aiwc predict --json`: for tests, and for programs
// that drive a browser.
function shownNumbers() {
  const view = viewOf();
  const entry = (one) => ({ device: one.device.id, known_device: Boolean(one.device.deviation), rank: one.rank, time_us: one.micros, low_us: one.low, high_us: one.high, tie: one.tie,
    relative_time: one.relative, bound_by: one.boundBy, energy_j: one.joules,
    terms: { ...Object.fromEntries(parts.map((part) => [`${part.key}_us`, one.terms[part.key]])), transfers_us: one.transfers } });
  return {
    kernels: data.kernels.filter((kernel) => view.kernels.includes(kernel)).map((kernel) => ({ kernel: kernel.kernel, devices: ranked([kernel], view.devices, view.exposed).map(entry) })),
    application: { devices: view.entries.map(entry) },
    split: view.focus.main && view.entries.length > 1 ? (({ dimension, makespan, shares }) => ({ dimension, makespan_us: makespan,
      shares: shares.map((share) => ({ device: share.device.id, work_groups: share.groups, finish_us: share.micros })) }))(splitOf(view.focus, view.devices, view.exposed)) : null,
  };
}
globalThis.aiwcReport = { errors, shownNumbers, charts: () => charts.length, set, principal };

begin({ readFragment, fragmentOf, content });
