// The times of kernels on devices. C++ has predicted them (report/times.h); the page adds up those
// of the chosen kernels and ranks the chosen devices. tests/report compares what it shows with
// `aiwc predict --json` and `aiwc split --json`.

const {parts} = data;
const transfersKey = "transfers";

// Devices with their place among all, and no change.
data.devices.forEach((device, place) => Object.assign(device, {place, whatIf: null}));
for (const kernel of data.kernels)
  kernel.source = kernel.source === null ? [] : data.sources[kernel.source];

// Of an entry (see entryOf): the microseconds of a part, or of the transfers, and its name.
const partTime = (entry, key) => key === transfersKey ? entry.transfers : entry.terms[key];
const partName = (key) =>
  key === transfersKey ? sayPage("transfers") : parts.find((part) => part.key === key).name;

// A device as one of data.whatIfs changes it; null if that is not known.
function changed(device, whatIf) {
  if (whatIf === null) return device;
  const place = data.whatIfs[whatIf].devices.findIndex(({id}) => id === device.id);
  return place < 0 ? null : {...device, ...data.whatIfs[whatIf].devices[place], place, whatIf};
}

// The numbers of a kernel on a device. None if the device lacks a parameter that the kernel needs,
// or if the application does not launch it there.
function numbersOf(kernel, {place, whatIf}) {
  return (whatIf === null ? kernel.times : kernel.changed[whatIf])[place] || null;
}
const isLaunchedOn = (kernel, device) => numbersOf(kernel, device) !== null;
// What the device lacks for the kernels: keys of parameters.
const lacking =
  (device, kernels) => [...new Set(kernels.flatMap((kernel) => kernel.lacks[device.id] || []))];
// Bytes that come from the device's memory.
const memoryBytes = (kernel, device) => numbersOf(kernel, device)[parts.length];

// The time of kernels on a device, `exposed` (1) with or (0) without all transfers: microseconds,
// by part, and the ends of its 80 % interval.
function entryOf(kernels, device, exposed) {
  const values = kernels.map((kernel) => numbersOf(kernel, device)).filter(Boolean);
  const sum = (numberOf) => values.reduce((total, numbers) => total + numberOf(numbers), 0);
  const after = parts.length + 1;
  const terms = Object.fromEntries(parts.map(({key}, k) => [key, sum((numbers) => numbers[k])]));
  const allTransfers = sum((numbers) => numbers[after + 2] || 0);
  const transfers = exposed * allTransfers;
  const endOf = (end) => (numbers) => (exposed && numbers[after + 3 + end]) || numbers[after + end];
  const longest = parts.reduce((a, b) => terms[b.key] > terms[a.key] ? b : a).key;
  return {
    device,
    launched: values.length > 0,
    terms,
    transfers,
    allTransfers,
    micros: transfers + Object.values(terms).reduce((total, time) => total + time, 0),
    low: sum(endOf(0)),
    high: sum(endOf(1)),
    widths: kernels.map((kernel) => {
      const numbers = numbersOf(kernel, device);
      return numbers ? endOf(1)(numbers) - endOf(0)(numbers) : 0;
    }),
    boundBy: transfers > terms[longest] ? transfersKey : longest,
  };
}

// The correlation of the errors of a kernel on two devices: what is left of that of their classes
// where the kernel was measured (MeasuredKernel in report/times.h).
function leftCorrelation(kernel, a, b) {
  const [ofA, ofB] =
    [a, b].map(({place, whatIf}) => whatIf === null ? kernel.explained[place] :
                                                      kernel.changedExplained[whatIf][place]);
  if (!ofA || !ofB) return data.errorCorrelation;
  const {same, others, itself} = data.classCorrelation;
  const all = a.id === b.id ? itself : a.class === b.class ? same : others;
  const product = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);
  const left = (1 - product(ofA, ofA)) * (1 - product(ofB, ofB));
  return left > 0 ? (all - product(ofA, ofB)) / Math.sqrt(left) : 0;
}
// Of two entries, each kernel counting by what it adds to the widths of their intervals.
function correlationOf(kernels, one, other) {
  const weights = kernels.map((_, i) => one.widths[i] * other.widths[i]);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (!(all > 0)) return data.errorCorrelation;
  return kernels.reduce(
    (sum, kernel, i) => sum + weights[i] / all * leftCorrelation(kernel, one.device, other.device),
    0);
}

// The entries of devices by rank, with `rank`, `relative` and `tie` as in predict/prediction.h.
// Devices on which none of the kernels is launched have none.
function ranked(kernels, devices, exposed) {
  const entries =
    devices.map((device) => entryOf(kernels, device, exposed)).filter((entry) => entry.launched);
  for (const entry of entries)
    entry.rank =
      1 + entries.filter((other) => other.micros < entry.micros * (1 - data.equalTimes)).length;
  const byId = (a, b) => a.device.id < b.device.id ? -1 : a.device.id > b.device.id ? 1 : 0;
  const sorted = entries.slice().sort((a, b) => a.rank - b.rank || byId(a, b));
  const best = sorted[0];
  for (const entry of sorted) {
    entry.relative = Math.max(1, entry.micros / best.micros);
    entry.probability =
      entry === best ? null : probabilityOfFaster(entry, best, correlationOf(kernels, entry, best));
    entry.tie = entry.probability !== null && entry.probability >= data.tieProbability;
  }
  return sorted;
}
