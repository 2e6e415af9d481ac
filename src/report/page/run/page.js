// The page of a run: the controls, and what the page has besides its views.

function controls(view) {
  const props = {
    class: "choices",
    onsubmit: (event) => event.preventDefault(),
    "aria-label": sayPage("shown"),
  };
  return h("form", props, deviceChoice(), kernelChoice(view), whatIfChoice(view));
}

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

// A slider with its value beside it; `textOf` says what a position means.
function slider(name, attributes, textOf, onchange) {
  const text = textOf(attributes.value);
  const change = (event) => onchange(event.target.value);
  const input = (event) => {
    event.target.nextSibling.textContent = textOf(event.target.value);
  };
  const events = {onchange: change, oninput: input};
  return h("label", {class: "slider"}, h("span", {}, name),
    h("input", {type: "range", "aria-valuetext": text, ...attributes, ...events}),
    h("output", {}, text));
}

function parameterSlider(symbol) {
  const steps = 12;  // per power of the largest factor
  const factorAt = (value) => Number((largestFactor ** (value / steps)).toPrecision(3));
  const factor = choice.factors[symbol] || 1;
  const value = Math.round(steps * Math.log(factor) / Math.log(largestFactor));
  const textOf = (at) => times(Number(at) === value ? factor : factorAt(at));
  const name = data.parameters[place[symbol]].description.replace(/[:,(].*/, "");
  return slider(name, {id: `w-${symbol}`, min: -steps, max: steps, value}, textOf,
    (at) => set({factors: {...choice.factors, [symbol]: factorAt(at)}}));
}

function whatIfChoice(view) {
  const steps = 20;
  const {exposed} = choice;
  const value = Math.round(steps * exposed);
  const attributes = {
    id: "exposed",
    min: 0,
    max: steps,
    value,
    disabled: !view.transfersKnown,
  };
  const textOf = (at) => percent(Number(at) === value ? exposed : at / steps);
  const changes = Object.entries(view.factors).map(([symbol, factor]) => `${symbol}=${factor}x`);
  return h("details", {id: "what-if", open: changes.length > 0},
    h("summary", {}, sayPage("whatIf")),
    h("div", {class: "sliders"}, sliders.map(parameterSlider),
      slider(sayPage("exposed"), attributes, textOf, (at) => set({exposed: at / steps}))),
    h("p", {class: "quiet"},
      changes.length || view.exposed ? sameNumbers(changes.join(), view.exposed) :
                                       sayPage("sliders")));
}

function sameNumbers(changes, exposed) {
  const words = ["aiwc predict RUN --devices", choice.devices.join()];
  if (changes) words.push("--what-if", changes);
  if (exposed) words.push("--transfers", exposed);
  const reset = {type: "button", id: "reset", onclick: () => set({factors: {}, exposed: 0})};
  return [
    `${sayPage("same")} `,
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
      data.before ? h("p", {class: "verdict"}, comparedSentence(view)) : null,
      h("p", {class: data.before ? "" : "verdict"}, verdict(view)),
      doubtsList(doubts(view)),
    ],
    controls: controls(view),
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
    split: view.focus.main && view.entries.length > 1 ? shownSplit(view) : null,
  };
}
function shownEntry(one) {
  const terms = parts.map((part) => [`${part.key}_us`, one.terms[part.key]]);
  return {
    device: one.device.id,
    known_device: Boolean(one.device.deviation),
    rank: one.rank,
    time_us: one.micros,
    low_us: one.low,
    high_us: one.high,
    tie: one.tie,
    relative_time: one.relative,
    bound_by: one.boundBy,
    energy_j: one.joules,
    terms: {...Object.fromEntries(terms), transfers_us: one.transfers},
  };
}
function shownSplit(view) {
  const {dimension, makespan, shares} = splitOf(view.focus, view.devices, view.exposed);
  return {
    dimension,
    makespan_us: makespan,
    shares: shares.map((share) => ({
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
  principal
};

begin({readFragment, fragmentOf, view: viewOf, content});
