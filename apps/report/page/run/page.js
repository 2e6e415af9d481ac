// The page of a run: the controls, and what the page has besides its views.

function kernelChoice(view) {
  const all = data.kernels.length;
  const chosen = new Set(choice.kernels || data.kernels.map((_, i) => i));
  const toggle = (i, on) => {
    if (on)
      chosen.add(i);
    else
      chosen.delete(i);
    const isStart = chosen.size === 0 || chosen.size === all;
    set({kernels: isStart ? null : [...chosen].sort((a, b) => a - b)});
  };
  const boxes = data.kernels.map((kernel, i) => checkbox(cut(kernel.name, 40), chosen.has(i),
                                   (on) => toggle(i, on), kernel.title));
  const names = data.kernels.map((kernel, i) => [i, cut(kernel.name, 40)]);
  const summary = () => h("summary", {}, sayPage("someOfKernels", {count: chosen.size, all}));
  return h("fieldset", {}, h("legend", {}, sayPage("kernels")),
    all > 8 ? h("details", {id: "kernel-list"}, summary(), boxes) : boxes,
    select("focus", sayPage("lookAt"), names, data.kernels.indexOf(view.focus)));
}

// What changed devices would take, as a table with a choice in each row.
function whatIfChoice(view) {
  const options = [null, ...data.whatIfs.map((_, i) => i)];
  const ids = view.able.map((device) => device.id);
  const changes = view.whatIf === null ? "" : data.whatIfs[view.whatIf].text;
  return h("details", {id: "what-if", open: changes !== ""}, h("summary", {}, sayPage("whatIf")),
    table(
      [sayPage("change"), ...ids], options.map((option) => whatIfCells(option, view)), "what-ifs"),
    h("p", {class: "quiet"},
      changes || view.exposed ? sameNumbers(changes, view.exposed) : sayPage("changes")));
}

function whatIfCells(option, view) {
  const attributes = {
    type: "radio",
    name: "what-if",
    id: option === null ? "w-none" : `w-${data.whatIfs[option].text}`,
    checked: option === view.whatIf,
    onchange: () => set({whatIf: option}),
  };
  const text = option === null ? sayPage("asTheyAre") : h("code", {}, data.whatIfs[option].text);
  return h("tr", {}, h("th", {scope: "row"}, h("label", {}, h("input", attributes), " ", text)),
    view.able.map((device) => whatIfCell(device, option, view)));
}

function whatIfCell(device, option, view) {
  const other = changed(device, option);
  if (!other) return h("td", {class: "quiet"}, sayPage("unknown"));
  const [before, after] =
    [device, other].map((one) => entryOf(view.kernels, one, view.exposed).micros);
  if (option === null) return h("td", {}, duration(after));
  const change = changeOf(before, after, 1.05);
  return h("td", {class: changeClass(change)}, duration(after),
    h("span", {class: "quiet"}, ` ${changeText(change, sayPage)}`));
}

// A change of a time: its factor, 1 or more, and in which direction.
function changeOf(before, after, sameWithin) {
  const ratio = after / before;
  const factor = Math.max(ratio, 1 / ratio);
  const isSame = !(factor >= sameWithin);
  return {factor, isSame, isSlower: !isSame && ratio > 1};
}
function changeText(change, say) {
  if (change.isSame || !Number.isFinite(change.factor)) return say("same");
  return say(change.isSlower ? "slower" : "faster", {factor: times(change.factor)});
}
const changeClass = ({isSame, isSlower}) => isSame ? "quiet" : isSlower ? "worse" : "better";

function sameNumbers(changes, exposed) {
  const words = ["aiwc predict RUN --devices", choice.devices.join()];
  if (changes) words.push("--what-if", changes);
  if (exposed) words.push("--transfers", exposed);
  const reset = {type: "button", id: "reset", onclick: () => set({whatIf: null, exposed: 0})};
  return [
    `${sayPage("sameNumbers")} `,
    h("code", {}, words.join(" ")),
    " ",
    h("button", reset, sayPage("asTheyAre")),
  ];
}

function content() {
  const view = viewOf();
  return {
    title: data.run,
    said: [
      h("p", {class: "verdict"}, verdict(view)),
      doubtsList(doubts(view)),
    ],
    controls: choiceForm(deviceChoice(), kernelChoice(view), whatIfChoice(view)),
    sections: viewSections(view),
    footer: data.footer,
  };
}

// What the page shows as numbers, in the form of `aiwc predict --json`: for tests, and for programs
// that drive a browser.
function shownNumbers() {
  const view = viewOf();
  const kernels = data.kernels.filter((kernel) => view.kernels.includes(kernel));
  return {
    kernels: kernels.map((kernel) => ({
      kernel: kernel.kernel,
      devices: ranked([kernel], view.devices, view.exposed).map(shownEntry),
    })),
    application: {devices: view.entries.map(shownEntry)},
    what_ifs: data.whatIfs.map(({text}, option) => ({
      what_if: text,
      devices: view.able.map((device) => changed(device, option))
                 .filter(Boolean)
                 .map((device) => shownTime(entryOf(view.kernels, device, view.exposed))),
    })),
    split: view.focus.main ? shownSplit(view) : null,
  };
}
const shownTime = ({device, micros}) => ({device: device.id, time_us: micros});
function shownEntry(one) {
  const terms = parts.map((part) => [`${part.key}_us`, one.terms[part.key]]);
  return {
    ...shownTime(one),
    known_device: one.device.known,
    rank: one.rank,
    low_us: one.low,
    high_us: one.high,
    probability: one.probability,
    tie: one.tie,
    relative_time: one.relative,
    bound_by: one.boundBy,
    terms: {...Object.fromEntries(terms), transfers_us: one.transfers},
  };
}
function shownSplit(view) {
  const exposed = view.focus.transfersKnown ? view.exposed : 0;
  const split = divided(view.focus, dividing(view), exposed);
  return split && {
    dimension: split.dimension,
    makespan_us: split.makespan,
    single_us: split.single.micros,
    shares: split.shares.map((share) => ({
      device: share.device.id,
      work_groups: share.groups,
      finish_us: share.micros,
    })),
  };
}
globalThis.aiwcReport = {
  errors,
  shownNumbers,
  charts: () => charts.length,
  set,
};

begin({readFragment, fragmentOf, view: viewOf, content});
