// The fitted model of src/predict/fitted, evaluated in the page: time = sum of exp(c_k) u_k over
// the terms. tests/report compares its numbers with those of `aiwc predict --json`.

// Parameters of a device by their symbols; a missing one is null.
const place = Object.fromEntries(data.parameters.map((row, i) => [row.name, i]));
const parameter = (device, symbol) => device.parameters[place[symbol]];

const demandKeys = data.demand;
const hardware = data.model.hardware;
const {laneWidths, coalescingWidths} = hardware;
function demandOf(row, begin) {
  const demand = {};
  demandKeys.forEach((key, i) => {
    demand[key] = row[begin + i];
  });
  const lanes = begin + demandKeys.length;
  demand.laneUtilization = row.slice(lanes, lanes + laneWidths.length);
  demand.coalescing = row.slice(lanes + laneWidths.length);
  return demand;
}

// The accesses that miss a cache, of one launch of the curve (profile/reuse.h).
function prepareCurve(curve) {
  const lowest = [];
  const from = [];
  for (let i = 0, distance = 0; i < curve.bins.length; i += 2)
    lowest.push(distance += curve.bins[i]);
  let sum = 0;
  for (let i = lowest.length - 1; i >= 0; --i) from[i] = sum += curve.bins[2 * i + 1];
  const all = curve.cold + sum;
  return {...curve, lowest, from, all: sum, windows: windowsOf(curve.cold, lowest, from, all)};
}
function binWidth(distance) {
  const {exactDistances, binsPerPower} = hardware;
  if (distance < exactDistances) return 1;
  let power = exactDistances;
  while (2 * power <= distance) power *= 2;
  return power / binsPerPower;
}
const binBegin = (distance) => distance - distance % binWidth(distance);
const binEnd = (lowest) => lowest + binWidth(lowest);
// How many lines so many accesses in succession touch, at the ends of the bins.
function windowsOf(cold, lowest, from, all) {
  const windows = [{accesses: 0, lines: 0}];
  let misses = all;
  const extend = (lines, missesThere) => {
    const last = windows[windows.length - 1];
    if (lines <= last.lines || missesThere === 0) return;
    const perMiss = (1 / misses + 1 / missesThere) / 2;
    windows.push({accesses: last.accesses + (lines - last.lines) * perMiss * all, lines});
    misses = missesThere;
  };
  lowest.forEach((begin, i) => {
    extend(begin, cold + from[i]);
    extend(binEnd(begin), cold + (from[i + 1] || 0));
  });
  return windows;
}
function linesOf({cold, all, windows}, accesses) {
  const every = cold + all;
  if (every === 0) return 0;
  const last = windows[windows.length - 1];
  if (accesses >= every) return Math.max(last.lines, cold);
  const at = windows.findIndex((window) => window.accesses > accesses);
  const before = at < 0 ? last : windows[at - 1];
  const missRatio = at < 0 ?
    cold / every :
    (windows[at].lines - before.lines) / (windows[at].accesses - before.accesses);
  return before.lines + (accesses - before.accesses) * missRatio;
}
function missedAccesses(curve, cacheBytes) {
  const lines = Math.floor(cacheBytes / curve.line);
  let low = 0;
  let high = curve.lowest.length;  // the first bin that begins at `lines` or later
  while (low < high) {
    const middle = (low + high) >> 1;
    if (curve.lowest[middle] < lines)
      low = middle + 1;
    else
      high = middle;
  }
  let misses = curve.cold + (curve.from[low] || 0);
  if (low > 0) {
    const begin = curve.lowest[low - 1];
    const end = binEnd(begin);
    if (end > lines) {
      const accesses = curve.from[low - 1] - (curve.from[low] || 0);
      misses += accesses - Math.floor(accesses * (lines - begin) / (end - begin));
    }
  }
  return misses;
}
// Of a line that work-groups share which run together, only the first access misses.
function missedTogether(curve, bytes, groupsTogether) {
  const misses = missedAccesses(curve, bytes);
  if (groupsTogether <= 1) return misses;
  const beyond = (lines) => missedAccesses(curve, Math.max(bytes, lines * curve.line));
  const linesOfGroups = (groups) =>
    Math.floor(linesOf(curve, (curve.cold + curve.all) * Math.min(1, groups / curve.workGroups)));
  return misses - beyond(binBegin(linesOfGroups(1))) + beyond(linesOfGroups(groupsTogether));
}
// Bytes that miss a cache of each core, or the last cache of a device.
const missedBytes = (curves, bytes, togetherOf = () => 1) => curves.reduce((sum, curve) => sum +
    curve.launches * missedTogether(curve, bytes, togetherOf(curve)) * curve.line,
  0);
function memoryBytes(curves, device) {
  const bytes = Math.floor(parameter(device, "cache_size"));
  const togetherOf = ({workGroupSize}) => residentGroups(workGroupSize, device);
  return isGpu(device) ? missedBytes(curves, bytes, togetherOf) : missedBytes(curves, bytes);
}

// The type in OpenCL, and whether the application launches a kernel on devices of this type: runs
// that saw devices of several types stand for these (cli/seen_types.h).
const openClType = (device) => device.type === "integrated_gpu" ? "gpu" : device.type;
const isLaunchedOn = (kernel, device) =>
  !kernel.onTypes.length || kernel.onTypes.includes(openClType(device));
const isGpu = (device) => device.type === "gpu" || device.type === "integrated_gpu";
function classOf(device) {
  if (isGpu(device))
    return device.vendor.startsWith("NVIDIA") ? "nvidia_gpu" :
      device.vendor.startsWith("AMD")         ? "amd_gpu" :
                                                "other";
  if (device.type !== "cpu") return "other";
  const clock = parameter(device, "clock");
  const isSlow = clock !== null && clock < hardware.slowCoreClock;
  return isSlow && parameter(device, "cores") >= hardware.manyCores ? "many_core" : "cpu";
}
function meanOfRows(rows) {
  return rows[0].map((_, k) => rows.reduce((sum, row) => sum + row[k], 0) / rows.length);
}
function classCoefficients(device) {
  const classes = data.model.classes;
  const own = classes[classOf(device)];
  if (own) return own;
  const ofKind = Object.keys(classes).filter(
    (name) => (name === "nvidia_gpu" || name === "amd_gpu") === isGpu(device));
  return meanOfRows((ofKind.length ? ofKind : Object.keys(classes)).map((name) => classes[name]));
}
function launchMicros(device) {
  return hardware.queueBeyondOverhead +
    (parameter(device, "launch_overhead") ?? hardware.unknownOverhead);
}
function coefficientsOf(device) {
  const result = classCoefficients(device).slice();
  if (device.deviation)
    device.deviation.forEach((value, k) => {
      result[k] += value;
    });
  else if (device.measuredLaunch)
    result[term.launch] = data.model.launchAboveShortest +
      Math.log(parameter(device, "launch_overhead") / launchMicros(device));
  result[term.dram] = device.measuredBandwidth ? 0 : Math.max(result[term.dram], 0);
  return result;
}
const term = Object.fromEntries(data.model.terms.map((row, i) => [row.key, i]));
const transferTerms = [term.transfer_bytes, term.transfer_calls];
const parts = data.model.terms.filter((row) => !row.key.startsWith("transfer_"));

// Of an entry (see entryOf): the microseconds of a part, or of the transfers, and its name.
const partTime = (entry, key) => key === "transfers" ? entry.transfers : entry.terms[key];
const partName = (key) =>
  key === "transfers" ? sayPage("transfers") : parts.find((part) => part.key === key).name;

function atWidth(values, widths, width) {
  const found = widths.findIndex((w) => w >= width);
  return values[found < 0 ? values.length - 1 : found];
}
const unitOf = (device) =>
  device.vendor.startsWith("NVIDIA") ? hardware.nvidiaUnit : hardware.otherUnit;
function unitsOf(device) {
  const units = parameter(device, "compute_units");
  if (units !== null) return units;
  const cores = parameter(device, "cores");
  if (!isGpu(device)) return cores;
  return Math.max(1, Math.round(cores / unitOf(device).lanes));
}

// The work-groups that a GPU executes at the same time.
function residentGroups(workGroupSize, device) {
  const unit = unitOf(device);
  const laneGroups = Math.ceil(workGroupSize / parameter(device, "lane_width"));
  return unitsOf(device) * Math.min(unit.laneGroups, unit.workGroups * laneGroups) / laneGroups;
}

// Adds `launches` times the microseconds by term that a launch would take by the data sheet, but
// for the two terms of missed bytes.
function addUnitTimes(times, demand, device, launches) {
  const cycles = parameter(device, "clock") * 1e3;
  const cores = parameter(device, "cores");
  const width = parameter(device, "lane_width");
  const units = unitsOf(device);
  const dram = parameter(device, "dram_bandwidth") * 1e3;
  const cache = parameter(device, "cache_bandwidth") * 1e3;
  const items = demand.workItems;
  const moreInstructions = (hardware.integerDivision - 1) * demand.integerDivisions;
  const instructions = demand.instructions + moreInstructions;
  const add = (key, value) => {
    times[term[key]] += launches * value;
  };
  add("launch", launchMicros(device));
  add("atomics", demand.contendedAtomics * (isGpu(device) ? 1 : hardware.cpuAtomicCycles) / cycles);
  if (isGpu(device)) {
    const waves = Math.max(1, demand.workGroups / residentGroups(demand.workGroupSize, device));
    add("instructions",
      instructions / atWidth(demand.laneUtilization, laneWidths, width) / (cores * cycles));
    const inGroupOfLanes =
      instructions / items / atWidth(demand.laneUtilization, laneWidths, width);
    const longest = demand.itemInstructions + moreInstructions / items;
    add("serial_chain", ((waves - 1) * Math.min(inGroupOfLanes, longest) + longest) / cycles);
    add("latency", waves * demand.accesses / items / cycles);
    add("cache", demand.globalBytes / atWidth(demand.coalescing, coalescingWidths, width) / dram);
    add("local_memory", demand.localBytes / cache);
    add("barriers", waves * demand.barriers / cycles);
    add("dispatch", demand.workGroups / units / cycles);
    add("divisions", demand.divisions / (cores * cycles));
    add("special_functions", demand.specialOperations / (cores * cycles));
  } else {
    const rounds = Math.ceil(demand.workGroups / units);
    const itemsInTurn = rounds * demand.workGroupSize;
    const busy = Math.min(demand.workGroups, units);
    const accesses = demand.accesses * (1 - demand.jointAccesses * (1 - 1 / hardware.jointItems)) +
      demand.privateAccesses;
    const heaviest = demand.groupInstructions + moreInstructions / demand.workGroups;
    add("instructions", Math.max(itemsInTurn * instructions / items, heaviest) / cycles);
    add("latency", itemsInTurn * accesses / items / cycles);
    add("local_memory", (demand.globalBytes + demand.localBytes) / cache);
    add("barriers", itemsInTurn * demand.barriers / cycles);
    add("dispatch", rounds / cycles);
    add("divisions", demand.divisions / (busy * cycles));
    add("special_functions", demand.specialOperations / (busy * cycles));
  }
  const double = parameter(device, "fp64_rate");
  if (double !== null) {
    const busyCores = cores * (isGpu(device) ? Math.min(1, demand.workGroups / units) : 1);
    const operations = demand.doubleOperations + hardware.conversion * demand.doubleConversions;
    add("double_precision", operations / (busyCores * double * 1e3));
  }
  if (demand.hostTransfers > 0) {
    const link = parameter(device, "host_bandwidth");
    const latency = parameter(device, "host_latency");
    const bandwidth =
      link === null ? parameter(device, "dram_bandwidth") * hardware.copyShare : link;
    times[term.transfer_bytes] += launches * demand.hostBytes / (bandwidth * 1e3);
    times[term.transfer_calls] +=
      launches * demand.hostTransfers * Math.max(latency ?? 0, hardware.leastTransferMicros);
  }
}
function addMisses(times, curves, device, share) {
  const dram = parameter(device, "dram_bandwidth") * 1e3;
  const reached =
    classOf(device) === "cpu" && !device.measuredBandwidth ? hardware.cpuMemoryShare : 1;
  times[term.dram] += share * memoryBytes(curves, device) / (dram * reached);
  if (!isGpu(device))
    times[term.cache] += share * missedBytes(curves, hardware.privateCacheBytes) / dram;
}

// What the model needs, and `device` lacks, for these kernels: keys of parameters.
function lacking(device, kernels) {
  const needed = [...data.model.needs];
  if (kernels.some((kernel) => kernel.demands.some((row) => row.demand.doubleOperations > 0)))
    needed.push("fp64_rate");
  return needed.filter((symbol) => parameter(device, symbol) === null)
    .map((symbol) => data.parameters[place[symbol]].key);
}

// Microseconds by part, and of the exposed transfers.
function timed(times, device, exposed) {
  const coefficients = coefficientsOf(device);
  const scaled = times.map((value, k) => value * Math.exp(coefficients[k]));
  const transfers = exposed * transferTerms.reduce((sum, k) => sum + scaled[k], 0);
  const terms = {};
  let micros = transfers;
  for (const part of parts) micros += terms[part.key] = scaled[term[part.key]];
  return {
    terms,
    transfers,
    micros,
    allTransfers: exposed > 0 ? transfers / exposed :
                                transferTerms.reduce((sum, k) => sum + scaled[k], 0)
  };
}
const noTimes = () => data.model.terms.map(() => 0);

function costOf(kernels, device, exposed) {
  const times = noTimes();
  for (const kernel of kernels) {
    if (!isLaunchedOn(kernel, device)) continue;
    for (const row of kernel.demands) addUnitTimes(times, row.demand, device, row.launches);
    addMisses(times, kernel.misses, device, 1);
  }
  return timed(times, device, exposed);
}

// The ends of the 80 % interval (intervalOf in predict/fitted/fitted_model.h).
function intervalOf(cost, device) {
  const model = data.model;
  const spreads = device.deviation ? model.knownDevice :
    device.measuredLaunch          ? model.unknownDeviceMeasuredLaunch :
                                     model.unknownDevice;
  const {launch, dram} = cost.terms;
  const times = [launch, dram, cost.micros - launch - dram];
  const [low, high] = [0, 1].map(
    (end) => times.reduce((sum, time, part) => sum + time * Math.exp(spreads[part][end]), 0));
  return {low, high};
}

function entryOf(kernels, device, exposed) {
  const cost = costOf(kernels, device, exposed);
  let boundBy = parts.reduce(
    (most, part) => cost.terms[part.key] > cost.terms[most] ? part.key : most, parts[0].key);
  if (cost.transfers > cost.terms[boundBy]) boundBy = "transfers";
  const tdp = parameter(device, "tdp");
  const idle = parameter(device, "idle_power") === null ? tdp : parameter(device, "idle_power");
  const busy = parts.filter((part) => ["compute", "cache", "dram"].includes(part.group))
                 .reduce((sum, part) => sum + cost.terms[part.key], 0);
  return {
    device,
    ...cost,
    boundBy,
    ...intervalOf(cost, device),
    joules: tdp === null ? null : (tdp * busy + idle * (cost.micros - busy)) * 1e-6,
  };
}

// The entries of devices by rank, with `rank`, `relative` and `tie` as in predict/prediction.h.
function ranked(kernels, devices, exposed) {
  const entries = devices.map((device) => entryOf(kernels, device, exposed));
  for (const entry of entries) {
    entry.rank = 1 + entries.filter((other) => other.micros < entry.micros).length;
  }
  const sorted = entries.slice().sort((a, b) => a.rank - b.rank);
  const best = sorted[0];
  for (const entry of sorted) {
    entry.relative = entry.micros / best.micros;
    entry.chance = entry === best ? null : chanceOfFaster(entry, best, data.model.errorCorrelation);
    entry.tie = entry.chance !== null && entry.chance >= data.model.tieChance;
  }
  return sorted;
}

// A device with parameters multiplied, as `--what-if SYMBOL=FACTORx` (predict/what_if.h). A result
// that its parameter does not allow becomes the nearest that it does.
function changed(device, factors) {
  const parameters = device.parameters.slice();
  for (const [symbol, factor] of Object.entries(factors)) {
    const i = place[symbol];
    if (parameters[i] === null || factor === 1) continue;
    const row = data.parameters[i];
    let value = parameters[i] * factor;
    if (row.integer) value = Math.round(value);
    parameters[i] = Math.min(row.maximum, Math.max(row.minimum, value));
  }
  return {...device, parameters};
}

// The time at which a device has finished a share of a kernel's main launch (predict/split.h).
const sums = [
  "workItems", "workGroups", "instructions", "accesses", "privateAccesses", "globalBytes",
  "localBytes", "divisions", "specialOperations", "doubleOperations", "contendedAtomics"
];
function finishMicros(kernel, device, share, exposed) {
  const demand = {...kernel.mainDemand};
  for (const key of sums) demand[key] *= share;
  demand.hostBytes *= share;
  const times = noTimes();
  addUnitTimes(times, demand, device, 1);
  addMisses(times, [kernel.mainCurve], device, share);
  return timed(times, device, exposed).micros;
}

// Divides `pieces` pieces so that the last device ends as early as possible, over as few devices as
// that takes (predict/makespan.h).
function divided(pieces, devices, finish) {
  const capacity = (d, time) => {
    let low = 0;
    let high = pieces;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (finish(d, middle) <= time)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  };
  const done = (time) => devices.reduce((sum, _, d) => sum + capacity(d, time), 0) >= pieces;
  let low = 0;
  let high = Math.min(...devices.map((_, d) => finish(d, pieces)));
  for (let i = 0; i < 60 && high - low > 1e-12 * high; ++i) {
    const middle = (low + high) / 2;
    if (done(middle))
      high = middle;
    else
      low = middle;
  }
  const capacities = devices.map((_, d) => capacity(d, high));
  const order = capacities.map((_, d) => d).sort((a, b) => capacities[b] - capacities[a] || a - b);
  const used = [];
  for (let sum = 0; sum < pieces; sum += capacities[order[used.length - 1]])
    used.push(order[used.length]);
  const all = used.reduce((sum, d) => sum + capacities[d], 0);
  const counts = devices.map(() => 0);
  let left = pieces;
  for (const d of used) left -= counts[d] = Math.floor(capacities[d] * pieces / all);
  const remainder = (d) => capacities[d] * pieces % all;
  used.sort((a, b) => remainder(b) - remainder(a));
  for (let i = 0; i < left; ++i) ++counts[used[i]];
  return counts;
}
function splitOf(kernel, devices, exposed) {
  const layersOf =
    [0, 1, 2].map((i) => Math.ceil(kernel.main.global[i] / Math.max(1, kernel.main.local[i])));
  const all = layersOf.slice(0, kernel.main.dimensions).reduce((product, n) => product * n, 1);
  const plans = [];
  for (let dimension = kernel.main.dimensions - 1; dimension >= 0; --dimension) {
    const layers = layersOf[dimension];
    const memory = new Map();
    const finish = (d, n) => {
      const key = d * (layers + 1) + n;
      if (!memory.has(key))
        memory.set(key, n ? finishMicros(kernel, devices[d], n / layers, exposed) : 0);
      return memory.get(key);
    };
    const counts = divided(layers, devices, finish);
    const shares = counts.map(
      (n, d) => ({device: devices[d], layers: n, groups: n * all / layers, micros: finish(d, n)}));
    plans.push(
      {dimension, layers, shares, makespan: Math.max(...shares.map((share) => share.micros))});
  }
  const least = Math.min(...plans.map((plan) => plan.makespan));
  const plan = plans.find((candidate) => candidate.makespan <= least * 1.01);
  const single = devices.map((device) => finishMicros(kernel, device, 1, exposed));
  return {...plan, groups: all, single};
}

for (const kernel of [...data.kernels, ...(data.before ? data.before.kernels : [])]) {
  kernel.demands = kernel.groups.map((row) => ({launches: row[0], demand: demandOf(row, 1)}));
  kernel.misses = kernel.curves.map(prepareCurve);
  kernel.source =
    kernel.source === null || kernel.source === undefined ? [] : data.sources[kernel.source];
  if (kernel.main) {
    kernel.mainDemand = demandOf(kernel.main.demand, 0);
    kernel.mainCurve = prepareCurve(kernel.main.curve);
  }
}
