// The page of many programs: the controls, and what the page has besides its views.

function controls(view) {
  const names = data.kernels.map((kernel) => {
    const text = kernel.owner.isNew ? sayPage("newKernel", {kernel: kernel.label}) : kernel.label;
    return [kernel.place, cut(text, 60)];
  });
  return choiceForm(metricChoice(),
    h("fieldset", {}, h("legend", {}, sayPage("kernel")),
      select("focus", sayPage("lookAt"), names, view.focus.place)),
    deviceChoice());
}

function metricChoice() {
  const chosen = choice.categories || categories;
  const toggle = (category, on) => {
    const next = categories.filter((one) => one === category ? on : chosen.includes(one));
    if (next.length)
      set({categories: next.length === categories.length ? null : next});
    else
      draw();
  };
  const boxes = categories.map((category) => checkbox(category.toLowerCase(),
                                 chosen.includes(category), (on) => toggle(category, on)));
  const sets = metricSets.map((one) => [one.key, one.name]);
  return h("fieldset", {}, h("legend", {}, sayPage("metrics")),
    select("set", sayPage("compareBy"), sets, choice.set), boxes);
}

function content() {
  const view = viewOf();
  const said = suiteVerdict(view);
  return {
    title: data.run,
    said: [
      h("p", {class: "verdict"}, said.sentence),
      said.sure.map((text) => h("p", {}, text)),
      doubtsList(suiteDoubts()),
    ],
    controls: controls(view),
    sections: viewSections(view),
    footer: data.footer,
  };
}

// What the page shows as numbers: for tests, and for programs that drive a browser.
function shownNumbers() {
  const view = viewOf();
  const {found, usedKeys, suggested, limit} = view.analysis;
  return {
    metrics: usedKeys,
    shares: found.shares,
    suggested,
    limit,
    silhouette: view.silhouette,
    clusters: view.clusters.map(({members, medoid, silhouette}) => ({
      kernels: members.map((i) => suite[i].label),
      representative: suite[medoid].label,
      silhouette,
    })),
    cover: view.cover.map((program) => program.name),
    like: view.placed.map(({kernel, outside, newValues, near}) => ({
      kernel: kernel.label,
      outside,
      newValues,
      nearest: near.slice(0, 3).map(({other, distance}) => ({kernel: other.label, distance})),
    })),
    devices: data.programs.map((program) => ({
      program: program.name,
      ranked: rankedDevices(data.kernels.filter((one) => one.owner === program), view.devices),
    })),
  };
}
globalThis.aiwcReport = {
  errors,
  shownNumbers,
  charts: () => charts.length,
  set,
  principal,
  wardTree,
  leafOrder,
  cutTree,
  silhouettes,
  medoidOf,
  quantile,
  distancesOf,
  suggestedOf,
};

begin({readFragment, fragmentOf, view: viewOf, content});
