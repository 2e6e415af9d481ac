// What the page says first: which device is the fastest, how sure that is, and why one may doubt
// it.

function verdict(view) {
  const {entries} = view;
  if (!entries.length) return {sentence: sayPage("noDevice"), sure: []};
  const [best, second] = entries;
  const ties = entries.filter((entry) => entry.tie);
  const texts = {
    device: best.device.id,
    time: duration(best.micros),
    count: entries.length,
    low: duration(best.low),
    high: duration(best.high),
    what: whatRuns(view.kernels),
  };
  const sure = [sayPage(best.device.deviation ? "sureOfKnown" : "sureOfUnknown", texts)];
  if (!second) return {sentence: sayPage("oneDevice", texts), sure};
  if (ties.length === entries.length - 1) return {sentence: sayPage("allTie", texts), sure};
  if (ties.length) {
    const devices = listed([best, ...ties].map((entry) => entry.device.id));
    const slower = entries.length - ties.length - 1;
    return {sentence: sayPage("someTie", {...texts, devices, slower}), sure};
  }
  const faster = {factor: times(second.relative), second: second.device.id};
  return {sentence: sayPage("fastest", {...texts, ...faster}), sure};
}

function whatRuns(kernels) {
  const isAll = data.whole && kernels.length === data.kernels.length;
  return sayPage(isAll ? "theRun" : "someKernels", {count: kernels.length});
}

function doubts(view) {
  const idsOf = (entries) => listed(entries.map((entry) => entry.device.id));
  const about = (key, entries) => entries.length ? [sayPage(key, {devices: idsOf(entries)})] : [];
  const {entries, transfersKnown} = view;
  const starting = entries.filter((entry) => entry.terms.launch > entry.micros / 2);
  const moving = entries.filter(
    (entry) => transfersKnown && entry.allTransfers > entry.micros - entry.transfers);
  const isFull = (memory) =>
    memory !== null && view.kernels.some((kernel) => kernel.footprint > memory);
  const full = entries.filter((entry) => isFull(parameter(entry.device, "memory")));
  return [
    ...data.notes.map((note) => `${note}.`),
    ...about("starting", starting),
    ...about("moving", moving),
    ...view.kernels.flatMap(doubtsAboutKernel),
    ...data.leftOut.map((reason) => sayPage("leftOut", {reason})),
    ...view.ruledOut.map(
      ({device, keys}) => sayPage("lacks", {device: device.id, keys: listed(keys)})),
    ...about("full", full),
  ];
}

function doubtsAboutKernel(kernel) {
  const about = (key, texts) => sayPage(key, {kernel: cut(kernel.name, 60), ...texts});
  const {simulatorErrors, sampled, leftOut, leftOutReason, launches} = kernel;
  return [
    kernel.unseen.length ? about("unseen", {features: kernel.unseen.join("; ")}) : "",
    simulatorErrors ? about("simulatorErrors", {count: simulatorErrors}) : "",
    sampled ? about("sampled", {count: sampled}) : "",
    leftOut ? about("launchesLeftOut", {
      count: leftOut,
      all: leftOut + launches,
      reason: leftOutReason,
    }) :
              "",
    kernel.pooled ? about("pooled", {count: kernel.groups.length}) : "",
  ].filter(Boolean);
}
