// What is compared, and how.

views.metrics = (view, say) => {
  const {columns: compared} = view.analysis.found;
  const rows = view.keys.map((key, k) => ({
    key,
    row: data.catalogue[metricPlace[key]],
    varies: compared[k].varies,
    values: suite.map((kernel) => metric(kernel, key)).filter((value) => value !== null),
  }));
  const constant = rows.filter((row) => !row.varies).length;
  const said = [
    say("compared", {count: rows.length - constant}),
    constant ? say("constant", {count: constant}) : "",
    say("said"),
  ];
  return {
    above: [
      h("p", {}, said.filter(Boolean).join(" ")),
      table(columns(say), rows.map((row) => usedMetricCells(row, say)), "metrics used"),
    ],
  };
};

function usedMetricCells({key, row, varies, values}, say) {
  const scale = !varies ? "same" : isLinear(key) ? "linear" : "logarithm";
  return h("tr", {},
    h("th", {scope: "row"}, h("code", {}, key),
      row.name !== key ? h("span", {class: "quiet"}, ` ${row.name}`) : null),
    h("td", {}, row.category.toLowerCase()), h("td", {}, say(scale)),
    h("td", {}, values.length ? valueText(Math.min(...values)) : "–"),
    h("td", {}, values.length ? valueText(Math.max(...values)) : "–"),
    h("td", {class: "text"}, row.definition));
}
