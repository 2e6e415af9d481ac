// What was chosen: as the URL has it, and what follows from it for the views.

// The choice as it is written: only what differs from the start.
const start = {
  kernels: null,
  focus: null,
  devices: data.chosen,
  whatIf: null,
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
  const next = {...start};
  const chosen = kernels("k");
  if (chosen.length) next.kernels = chosen;
  const looked = kernels("f");
  if (looked.length) [next.focus] = looked;
  next.devices = devicesIn(fields) || next.devices;
  const whatIf = data.whatIfs.findIndex(({text}) => text === fields.get("w"));
  if (whatIf >= 0) next.whatIf = whatIf;
  if (fields.get("r") === "1") next.exposed = 1;
  if (heatMeasures.some((one) => one.key === fields.get("heat"))) next.heat = fields.get("heat");
  if (inList("cache", data.cacheBytes)) next.cache = Number(fields.get("cache"));
  if (inList("lanes", data.laneWidths)) next.lanes = Number(fields.get("lanes"));
  next.query = fields.get("q") || "";
  if (["light", "dark"].includes(fields.get("theme"))) next.theme = fields.get("theme");
  return next;
}

function fragmentOf(it) {
  const fields = new URLSearchParams();
  if (it.kernels) fields.set("k", it.kernels.join());
  if (it.focus !== null) fields.set("f", it.focus);
  if (it.devices.join() !== start.devices.join()) fields.set("d", it.devices.join());
  if (it.whatIf !== null) fields.set("w", data.whatIfs[it.whatIf].text);
  if (it.exposed) fields.set("r", it.exposed);
  for (const key of ["heat", "cache", "lanes"])
    if (it[key] !== start[key]) fields.set(key, it[key]);
  if (it.query) fields.set("q", it.query);
  if (it.theme) fields.set("theme", it.theme);
  return fields.toString().replaceAll("%2C", ",").replaceAll("%3D", "=");
}

function viewOf() {
  const {whatIf, heat, cache, lanes, query} = choice;
  const kernels =
    choice.kernels ? choice.kernels.map((i) => data.kernels[i]) : data.kernels.slice();
  const base = choice.devices.map((id) => data.devices.find((device) => device.id === id));
  const transfersKnown = kernels.every((kernel) => kernel.transfersKnown);
  const exposed = transfersKnown ? choice.exposed : 0;
  const isAble = (device) => !lacking(device, kernels).length;
  const ruledOut = base.filter((device) => !isAble(device)).map((device) => ({
    device,
    keys: lacking(device, kernels),
  }));
  const able = base.filter(isAble);
  const devices = able.map((device) => changed(device, whatIf)).filter(Boolean);
  // The kernel that takes longest first, on the fastest device as it is, so that a change does not
  // exchange the looks of kernels.
  const [fastest] = ranked(kernels, able, 0);
  if (fastest) {
    const timeOf = (kernel) => entryOf([kernel], fastest.device, 0).micros;
    const weights = new Map(kernels.map((kernel) => [kernel, timeOf(kernel)]));
    kernels.sort((a, b) => weights.get(b) - weights.get(a));
  }
  return {
    kernels,
    devices,
    able,
    unknown: able.filter((device) => !changed(device, whatIf)),
    whatIf,
    exposed,
    transfersKnown,
    ruledOut,
    heat,
    cache,
    lanes,
    query,
    remember,
    entries: ranked(kernels, devices, exposed),
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
