// What the page says first: which device is the fastest, how sure that is, and why one may doubt
// it.

function verdict(view) {
  const {entries} = view;
  if (!entries.length) return sayPage("noDevice");
  const [best, second] = entries;
  const texts = {
    device: best.device.id,
    time: duration(best.micros),
    count: entries.length,
    low: duration(best.low),
    high: duration(best.high),
    what: whatRuns(view.kernels),
  };
  if (!second) return sayPage("oneDevice", texts);
  const ties = entries.filter((entry) => entry.tie);
  if (ties.length) return `${sayPage("bestGuess", texts)} ${whyUncertain(view, best, ties)}`;
  const faster = {factor: times(second.relative), second: second.device.id};
  return sayPage("fastest", {...texts, ...faster});
}

const isMostlyStarting = (entry) => entry.terms.launch > entry.micros / 2;

// The first reason that makes the first of several devices a guess.
function whyUncertain(view, best, ties) {
  if (isMostlyStarting(best)) return sayPage("becauseStarting");
  const outside = view.kernels.find((kernel) => kernel.outsideTrainingRange.length);
  if (outside) return sayPage("becauseOutside", {kernel: cut(outside.name, 40)});
  const other = ties.reduce((a, b) => b.probability > a.probability ? b : a);
  return sayPage("becauseClose", {other: other.device.id, probability: percent(other.probability)});
}

function whatRuns(kernels) {
  const isAll = data.whole && kernels.length === data.kernels.length;
  return sayPage(isAll ? "theRun" : "someKernels", {count: kernels.length});
}

function doubts(view) {
  const idsOf = (entries) => listed(entries.map((entry) => entry.device.id));
  const about = (key, entries) => entries.length ? [sayPage(key, {devices: idsOf(entries)})] : [];
  const {entries, transfersKnown} = view;
  const starting = entries.filter(isMostlyStarting);
  const moving = entries.filter(
    (entry) => transfersKnown && entry.allTransfers > entry.micros - entry.transfers);
  const isFull = (memory) =>
    memory !== null && view.kernels.some((kernel) => kernel.footprint > memory);
  const full = entries.filter((entry) => isFull(entry.device.memory));
  return [
    ...data.notes.map((note) => `${note[0].toUpperCase()}${note.slice(1)}.`),
    // The verdict says so where it is true of the best guess.
    ...(entries.length && isMostlyStarting(entries[0]) ? [] : about("starting", starting)),
    ...about("moving", moving),
    ...otherTypes(view),
    ...view.kernels.flatMap(doubtsAboutKernel),
    ...data.leftOut.map((reason) => sayPage("leftOut", {reason})),
    ...view.ruledOut.map(
      ({device, keys}) => sayPage("lacks", {device: device.id, keys: listed(keys)})),
    ...about("full", full),
    ...(view.unknown.length ? [sayPage("unknownWhatIf", {
      devices: listed(view.unknown.map((device) => device.id)),
    })] :
                              []),
  ];
}

// Devices of another type than the one that the application saw, if it asked for what commonly
// decides what it launches.
function otherTypes(view) {
  const others = [];
  for (const {device} of view.entries) {
    const asking = view.kernels.filter((kernel) => isLaunchedOn(kernel, device) &&
        kernel.asked.length && kernel.seenType !== device.type);
    if (asking.length) others.push({device, kernel: asking[0]});
  }
  if (!others.length) return [];
  const [{kernel}] = others;
  return [sayPage("otherType", {
    questions: listed(kernel.asked),
    type: sayPage(`type_${kernel.seenType}`),
    devices: listed(others.map(({device}) => device.id)),
    first: others[0].device.id,
  })];
}

function doubtsAboutKernel(kernel) {
  const about = (key, texts) => sayPage(key, {kernel: cut(kernel.name, 60), ...texts});
  const {simulatorErrors, sampled, leftOut, leftOutReason, launches} = kernel;
  return [
    kernel.outsideTrainingRange.length ?
      about("outsideTrainingRange", {features: kernel.outsideTrainingRange.join("; ")}) :
      "",
    simulatorErrors ? about("simulatorErrors", {count: simulatorErrors}) : "",
    sampled ? about("sampled", {count: sampled}) : "",
    leftOut ? about("launchesLeftOut", {
      count: leftOut,
      all: leftOut + launches,
      reason: leftOutReason,
    }) :
              "",
  ].filter(Boolean);
}
