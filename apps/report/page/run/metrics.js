// Every metric of the kernels, with a search.

views.metrics = (view, say) => {
  const others = view.kernels.filter((kernel) => kernel !== view.focus);
  const some = [view.focus, ...others].slice(0, 5);
  const rows = data.catalogue.map((row, i) => ({row, element: metricCells(row, i, some)}));
  const count = h("span", {class: "quiet", role: "status"});
  const filter = (text) => {
    for (const {row, element} of rows) element.hidden = !matches(row, text.toLowerCase());
    const found = rows.filter(({element}) => !element.hidden).length;
    count.textContent = ` ${say("found", {found, all: rows.length})}`;
  };
  filter(view.query);
  const search = h("input", {
    type: "search",
    id: "query",
    value: view.query,
    placeholder: say("examples"),
    oninput: (event) => {
      filter(event.target.value);
      view.remember({query: event.target.value});
    },
  });
  const heads = [
    say("metric"),
    ...some.map((kernel) => cut(kernel.name, 28)),
    say("unit"),
    say("definition"),
  ];
  return {
    above: [
      h("p", {class: "controls"}, h("label", {}, `${say("search")} `, search), count),
      table(heads, rows.map((one) => one.element), "metrics"),
      h("p", {class: "quiet"}, say("said")),
    ],
  };
};

function matches(row, text) {
  return [row.key, row.name, row.category, row.definition].join(" ").toLowerCase().includes(text);
}

function metricCells(row, i, kernels) {
  const quiet = (text) => h("span", {class: "quiet"}, text);
  const error = (kernel) => kernel.errors && kernel.errors[i];
  return h("tr", {},
    h("th", {scope: "row"}, h("code", {}, row.key),
      row.name !== row.key ? quiet(` ${row.name}`) : null),
    kernels.map((kernel) => h("td", {}, valueText(kernel.metrics[i]),
                  error(kernel) ? quiet(` ± ${digits(error(kernel), 2)}`) : null)),
    h("td", {}, row.unit), h("td", {class: "text"}, row.definition));
}
