// The best device of each program, and whether kernels of a cluster share theirs.

views.devices = (view, say) => {
  const ids = view.devices;
  const labels = new Map([
    ...suite.map((kernel, i) => [kernel, view.labels[i]]),
    ...view.placed.map((one) => [one.kernel, one.outside ? -1 : one.cluster]),
  ]);
  const programs = [...suitePrograms, ...data.programs.filter((program) => program.isNew)];
  const rows = programs.map((program) => {
    const kernels = data.kernels.filter((kernel) => kernel.owner === program);
    const clusters = new Set(view.clusters.length ? kernels.map((one) => labels.get(one)) : []);
    return {
      program,
      ranked: rankedDevices(kernels, ids),
      clusters: [...clusters].sort((a, b) => a - b),
    };
  });
  const long = rows.length > 24 ? "tall" : "";
  return {
    above: [
      h("p", {}, guessSentence(view, ids, say)),
      table([...columns(say), ...ids, say("clusters")],
        rows.map((row) => programCells(row, ids, say)), `best-devices ${long}`),
      h("p", {class: "quiet"}, say("said")),
    ],
  };
};

function guessSentence(view, ids, say) {
  const guess = view.clusters.length && ids.length > 1 ? foretold(view.labels, ids) : null;
  if (!guess || !guess.of) return say("few");
  const {byCluster, bySuite, of} = guess;
  const so = say(byCluster > bySuite ? "tells" : "tellsNothing");
  return say("guesses", {byCluster, bySuite, of, so});
}

function programCells({program, ranked, clusters}, ids, say) {
  const [best] = ranked;
  const ties = ranked.filter((row) => row.tie).length;
  const named = () => [best.id,
    ties ? h("span", {class: "quiet"}, ` ${say("ties", {count: ties})}`) : null,
  ];
  const timeCell = (row) => h("td", {class: row === best && row ? "best" : null},
    row ? times(row.micros / best.micros) : "–");
  return h("tr", {}, h("th", {scope: "row"}, cut(program.name, 40)),
    h("td", {class: "text"}, best ? named() : say("none")),
    h("td", {}, best ? duration(best.micros) : ""),
    ids.map((id) => timeCell(ranked.find((one) => one.id === id))),
    h("td", {},
      clusters.map(
        (label) => label < 0 ? `${say("outside")} ` : [sample(label), `${label + 1} `])));
}
