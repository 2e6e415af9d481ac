// The lines of the source, shaded by what they have of a count.

const rare = 10 + data.cacheBytes.length;
const heatMeasures = [
  {key: "instructions", of: (row) => row[1]},
  {key: "misses", of: (row, view) => row[10 + view.cache]},
  {key: "idle", of: (row, view) => row[6 + view.lanes]},
  {key: "branches", of: (row) => row[5]},
  {key: "operations", of: (row) => row[2]},
  {key: "bytes", of: (row) => row[3]},
  {key: "doubles", of: (row) => row[rare]},
  {key: "repeated", of: (row) => row[rare + 1]},
  {key: "divisions", of: (row) => row[rare + 2]},
  {key: "wideIndices", of: (row) => row[rare + 3]},
];

views.source = (view, say) => {
  const kernel = view.focus;
  const measure = heatMeasures.find((one) => one.key === view.heat);
  const counted = (row) => measure.of(row, view);
  const total = kernel.lines.reduce((sum, row) => sum + counted(row), 0);
  const most = kernel.lines.reduce((a, row) => Math.max(a, counted(row)), 1);
  const inWords = () => h("details", {id: "in-words", open: true}, h("summary", {}, say("inWords")),
    h("dl", {},
      kernel.description.map(([subject, text]) => [h("dt", {}, subject), h("dd", {}, text)])));
  return {
    above: [
      h("h3", {}, cut(kernel.name, 80)),
      h("p", {class: "quiet"}, kernel.title),
      kernel.lines.length ? heatControls(measure, view, say) : null,
      kernel.lines.length ? sourceFigure({kernel, measure, counted, total, most, view, say}) :
                            h("p", {}, say("none")),
      kernel.description.length ? inWords() : null,
    ],
  };
};

function heatControls(measure, view, say) {
  const {key} = measure;
  const has = (one) => view.focus.lines.some((row) => one.of(row, view) > 0);
  const measures = heatMeasures.filter((one) => one === measure || has(one))
                     .map((one) => [one.key, say(`${one.key}Name`)]);
  const caches = data.cacheBytes.map((bytes, i) => [i, bytesText(bytes)]);
  const groups = data.laneWidths.map((width, i) => [i, say("lanes", {width})]);
  return h("p", {class: "controls"}, select("heat", say("shade"), measures, key),
    key === "misses" ? select("cache", say("ofCache"), caches, view.cache) : null,
    key === "idle" ? select("lanes", say("inGroups"), groups, view.lanes) : null);
}

function sourceFigure({kernel, measure, counted, total, most, view, say}) {
  const byLine = new Map(kernel.lines.map((row) => [row[0], row]));
  const marks = findingsByLine(kernel, view);
  const rowOf = (number, text) => {
    const row = byLine.get(number);
    const share = row && total ? percent(counted(row) / total) : "";
    return sourceRow({number, text, share, marks}, row ? counted(row) / most : null);
  };
  const hottest = kernel.lines.reduce((best, row) => counted(row) > counted(best) ? row : best);
  const where = total ? say("hottest", {
    line: hottest[0] || "?",
    share: percent(counted(hottest) / total),
  }) :
                        say("nowhere");
  const said = [
    say("caption", {what: say(`${measure.key}What`), kernel: cut(kernel.name, 60), where}),
    kernel.source.length ? "" : say("noSource"),
    kernel.linesLeftOut ? say("leftOut", {count: kernel.linesLeftOut}) : "",
  ];
  // The hottest line in the middle of what is seen.
  scrollers.push(() => {
    const box = document.querySelector(".code-scroll");
    const hot = box && box.querySelector("tr.hottest");
    if (hot) box.scrollTop = hot.offsetTop - box.clientHeight / 2;
  });
  const heads = [
    ...columns(say).map((name) => h("th", {scope: "col"}, name)),
    h("th", {scope: "col", class: "text"}, kernel.sourceName || say("source")),
  ];
  const box =
    {class: "scroll code-scroll", tabindex: 0, role: "region", "aria-label": say("label")};
  return h("figure", {},
    h("div", box,
      h("table", {class: "heat"}, h("thead", {}, h("tr", {}, heads)),
        h("tbody", {}, sourceRows(kernel, byLine, rowOf, say)))),
    h("figcaption", {}, said.filter(Boolean).join(" ")));
}

// The numbers of the findings that have evidence in a line.
function findingsByLine(kernel, view) {
  const marks = new Map();
  for (const row of rankedFindings(view.kernels)) {
    if (row.kernel !== kernel) continue;
    for (const [line] of row.finding.evidence)
      if (line) marks.set(line, (marks.get(line) || new Set()).add(row.number));
  }
  return marks;
}

function sourceRows(kernel, byLine, rowOf, say) {
  const noLine = say("noLine");
  if (!kernel.source.length)
    return kernel.lines.map(
      ([number]) => rowOf(number, number ? say("lineNumber", {number}) : noLine));
  const gap = () => h("tr", {class: "cold"}, h("td", {colspan: 5}, "…"));
  const rows = kernel.source.flatMap(
    ([first, ...lines], i) => [i ? gap() : [], ...lines.map((text, k) => rowOf(first + k, text))]);
  return byLine.has(0) ? [...rows, rowOf(0, noLine)] : rows;
}

// `strength` is the line's count as a share of the largest; null for a line without counts.
function sourceRow({number, text, share, marks}, strength) {
  const known = strength !== null;
  const bar = () => h("span", {style: `width:${(100 * strength).toFixed(1)}%`});
  return h("tr", {
    class: !known    ? "cold" :
      strength === 1 ? "hottest" :
                       null,
    style: known ? `--heat:${(100 * strength).toFixed(0)}%` : null,
  },
    h("td", {class: "number"}, number || "?"), h("td", {class: "number"}, share),
    h("td", {class: "heatbar"}, known ? bar() : null),
    h("td", {class: "finding"}, marks.has(number) ? [...marks.get(number)].join(" ") : ""),
    h("td", {class: "code"}, text));
}
