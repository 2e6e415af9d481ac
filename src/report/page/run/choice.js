// What was chosen: as the URL has it, and what follows from it for the views.

const sliders =
  ["cores", "clock", "dram_bandwidth", "cache_bandwidth", "cache_size", "host_bandwidth"];
const largestFactor = 8;

// The choice as it is written: only what differs from the start.
const start = {
  kernels: null,
  focus: null,
  devices: data.chosen,
  factors: {},
  exposed: 0,
  heat: "instructions",
  cache: 1,
  lanes: 2,
  query: "",
  theme: "",
};

function readFragment() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const inList = (name, list) => fields.has(name) && Number(fields.get(name)) in list;
  const kernels = (name) => (fields.has(name) ? fields.get(name) : "")
                              .split(",")
                              .filter((text) => text !== "")
                              .map(Number)
                              .filter((i) => i in data.kernels);
  const next = {...start, factors: {}};
  const chosen = kernels("k");
  if (chosen.length) next.kernels = chosen;
  const looked = kernels("f");
  if (looked.length) [next.focus] = looked;
  next.devices = devicesIn(fields) || next.devices;
  for (const text of (fields.get("w") || "").split(",")) {
    const [symbol, factor] = text.split(":");
    if (Object.hasOwn(place, symbol) && Number(factor) > 0) next.factors[symbol] = Number(factor);
  }
  const exposed = Number(fields.get("r"));
  if (exposed >= 0 && exposed <= 1) next.exposed = exposed;
  if (heatMeasures.some((one) => one.key === fields.get("heat"))) next.heat = fields.get("heat");
  if (inList("cache", data.cacheBytes)) next.cache = Number(fields.get("cache"));
  if (inList("lanes", laneWidths)) next.lanes = Number(fields.get("lanes"));
  next.query = fields.get("q") || "";
  if (["light", "dark"].includes(fields.get("theme"))) next.theme = fields.get("theme");
  return next;
}

const changedOnly = (factors) =>
  Object.fromEntries(Object.entries(factors).filter(([, factor]) => factor !== 1));

function fragmentOf(it) {
  const fields = new URLSearchParams();
  if (it.kernels) fields.set("k", it.kernels.join());
  if (it.focus !== null) fields.set("f", it.focus);
  if (it.devices.join() !== start.devices.join()) fields.set("d", it.devices.join());
  const factors = Object.entries(changedOnly(it.factors));
  if (factors.length) fields.set("w", factors.map((one) => one.join(":")).join());
  if (it.exposed) fields.set("r", it.exposed);
  for (const key of ["heat", "cache", "lanes"])
    if (it[key] !== start[key]) fields.set(key, it[key]);
  if (it.query) fields.set("q", it.query);
  if (it.theme) fields.set("theme", it.theme);
  return fields.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
}

function viewOf() {
  const {heat, cache, lanes, query} = choice;
  const kernels =
    choice.kernels ? choice.kernels.map((i) => data.kernels[i]) : data.kernels.slice();
  const base = choice.devices.map((id) => data.devices.find((device) => device.id === id));
  const factors = changedOnly(choice.factors);
  const transfersKnown = kernels.every((kernel) => kernel.transfersKnown);
  const exposed = transfersKnown ? choice.exposed : 0;
  const ruledOut = base.map((device) => ({device, keys: lacking(device, kernels)}))
                     .filter((out) => out.keys.length);
  const able = base.filter((device) => !ruledOut.some((out) => out.device === device));
  const devices = able.map((device) => changed(device, factors));
  // The kernel that takes longest first, on the fastest device as it is, so that a slider does not
  // exchange the looks of kernels.
  if (able.length) {
    const fastest = ranked(kernels, able, 0)[0].device;
    const timeOf = (kernel) => costOf([kernel], fastest, 0).micros;
    const weights = new Map(kernels.map((kernel) => [kernel, timeOf(kernel)]));
    kernels.sort((a, b) => weights.get(b) - weights.get(a));
  }
  return {
    kernels,
    devices,
    factors,
    exposed,
    transfersKnown,
    ruledOut,
    heat,
    cache,
    lanes,
    query,
    remember,
    entries: able.length ? ranked(kernels, devices, exposed) : [],
    unchanged: new Map(able.map((device) => [device.id, entryOf(kernels, device, exposed)])),
    focus: choice.focus === null ? kernels[0] : data.kernels[choice.focus],
    title: titleOf(kernels),
    lookOf: (device) => choice.devices.indexOf(device.id),
  };
}

function titleOf(kernels) {
  if (kernels.length === 1) return cut(kernels[0].name, 60);
  const isAll = kernels.length === data.kernels.length;
  return isAll ? sayPage("allKernels") : sayPage("someKernels", {count: kernels.length});
}
