// The tree of the kernels, its cut into clusters, and a representative of each.

views.clusters = (view, say) => {
  const {analysis, clusters} = view;
  if (!clusters.length) return null;
  return {
    above: cutControls(view, say),
    caption: say("caption"),
    picture: (width) => dendrogram({
      width,
      say,
      rows: leafRows(view, say),
      order: analysis.order,
      joins: analysis.joins,
      height: cutHeight(view),
      lookOf: (i) => view.labels[i],
    }),
    below: [
      analysis.quality.length > 1 ?
        chart((width) => qualityPlot(width, view, say), qualitySentence(analysis, say)) :
        null,
      h("h3", {}, say("representatives")),
      table(columns(say), clusters.map((cluster) => clusterCells(cluster, say)), "names"),
    ],
  };
};

function cutControls(view, say) {
  const {most, suggested} = view.analysis;
  const slider = h("input", {
    type: "range",
    id: "count",
    min: 1,
    max: most,
    step: 1,
    value: view.count,
    "aria-valuetext": say("clusters", {count: view.count}),
    oninput: (event) => {
      event.target.nextSibling.textContent = ` ${event.target.value} `;
    },
    onchange: (event) => set({count: Number(event.target.value)}),
  });
  const suggest = {type: "button", id: "suggest", onclick: () => set({count: null})};
  return h("p", {class: "controls"},
    h("label", {}, `${say("count")} `, slider, h("output", {}, ` ${view.count} `)),
    h("button", suggest, say("suggest", {count: suggested})));
}

// Halfway between the last join that is made and the first that is not.
function cutHeight(view) {
  const {joins} = view.analysis;
  const made = suite.length - view.count;
  if (view.count === 1) return 1.02 * joins.at(-1).height;
  return ((made > 0 ? joins[made - 1].height : 0) + joins[made].height) / 2;
}

function leafRows(view, say) {
  const newOf = (i) =>
    view.placed.filter((one) => one.near[0].i === i && !one.outside).map((one) => one.kernel.name);
  return view.analysis.order.map((i) => {
    const kernel = suite[i].label;
    const kernels = newOf(i);
    return {
      name: kernels.length ? say("leafNew", {kernel, kernels: kernels.join(", ")}) : kernel,
      index: view.labels[i],
      strong: suite[i] === view.focus || kernels.length > 0,
      title: say("leaf", {kernel, cluster: clusterName(view.labels[i])}),
    };
  });
}

// The tree from its root at the left to the kernels at the right, with the cut as a dashed line.
//   rows, from the top: name, index (of its cluster's look), title, strong
//   joins: as wardTree returns them, of the points `order`; height: of the cut
function dendrogram({width, say, rows, order, joins, height, lookOf}) {
  const rowHeight = 16, head = 22, bottom = 40, left = 10;
  const right = Math.min(0.5 * width, 26 + Math.max(...rows.map((row) => widthOf(row.name, 11))));
  const inner = width - left - right;
  const all = head + order.length * rowHeight + bottom;
  const scale = scales.linear(0, 1.04 * joins.at(-1).height || 1);
  const px = (value) => left + (1 - scale.at(value)) * inner;
  const parts = [];
  for (const tick of scale.ticks(Math.max(2, Math.floor(inner / 70)))) {
    const x = px(tick);
    parts.push(s("line", {x1: x, x2: x, y1: head - 4, y2: all - bottom + 2, class: "grid"}));
    parts.push(axisText(x, all - bottom + 16, digits(tick, 3)));
  }
  parts.push(axisText(left + inner / 2, all - 6, say("axis")));
  const yOf = (row) => head + (row + 0.5) * rowHeight;
  parts.push(...branches({order, joins, height, lookOf, px, yOf, say}));
  const x = px(height);
  parts.push(s("line", {x1: x, x2: x, y1: head - 8, y2: all - bottom + 2, class: "limit"}));
  parts.push(axisText(x, 11, say("cut"), "middle", {class: "name"}));
  const room = Math.max(8, Math.floor((right - 22) / widthOf("x", 11)));
  rows.forEach((row, i) => {
    parts.push(markerOf(row.index, px(0) + 9, yOf(i), 3.5));
    const look = {class: row.strong ? "name strong" : "name", "font-size": 11};
    const text = axisText(px(0) + 20, yOf(i) + 4, cut(row.name, room), "start", look);
    text.append(s("title", {}, row.title));
    parts.push(text);
  });
  const svg = frame(width, all, say("label"), ...parts);
  svg.classList.add("dendrogram");
  return svg;
}

function branches({order, joins, height, lookOf, px, yOf, say}) {
  const at = [];
  order.forEach((point, row) => {
    at[point] = {x: px(0), y: yOf(row), member: point};
  });
  return joins.map(({a, b, height: distance}, i) => {
    const [one, other] = [at[a], at[b]];
    const x = px(distance);
    at[order.length + i] = {x, y: (one.y + other.y) / 2, member: one.member};
    const [x1, y1, x2, y2, up] = [one.x, one.y, other.x, other.y, x].map((c) => c.toFixed(1));
    return s("path", {
      d: `M${x1},${y1}H${up}V${y2}H${x2}`,
      class: distance < height ? `branch c${hue(lookOf(one.member))}` : "trunk",
    },
      s("title", {}, say("joined", {distance: deviations(distance)})));
  });
}

function qualityPlot(width, view, say) {
  const {quality, most} = view.analysis;
  const values = quality.map((one) => one.silhouette);
  const titleOf = ({count, silhouette}) =>
    say("qualityPoint", {count, silhouette: digits(silhouette, 3)});
  const whole = (value) => Number.isInteger(value) ? value : "";
  return plot({
    width: Math.min(width, 640),
    height: 220,
    label: say("qualityLabel"),
    legends: [],
    x: {min: 1.5, max: most + 0.5, format: whole, label: say("qualityX")},
    y: {
      min: Math.min(0, ...values),
      max: 1.1 * Math.max(0.1, ...values),
      format: deviations,
      label: say("qualityY"),
    },
    series: [
      {
        name: say("qualityY"),
        index: 0,
        line: true,
        marks: false,
        points: quality.map((one) => [one.count, one.silhouette]),
      },
      ...quality.map((one) => ({
        name: `${one.count}`,
        index: 0,
        ring: one.count === view.count,
        points: [[one.count, one.silhouette, titleOf(one)]],
      })),
    ],
  });
}

function qualitySentence({quality, best, suggested}, say) {
  const less = quality.find((one) => one.count === suggested);
  return say("quality", {
    best: say(best === less ? "bestIsSuggested" : "lessIsSuggested", {
      best: best.count,
      silhouette: digits(best.silhouette, 2),
      suggested,
      less: digits(less.silhouette, 2),
    }),
  });
}

function clusterCells(cluster, say) {
  const programs = new Set(cluster.members.map((i) => cut(suite[i].owner.name, 24)));
  return h("tr", {}, h("th", {scope: "row"}, sample(cluster.index), ` ${cluster.index + 1}`),
    h("td", {}, cluster.members.length),
    h("td", {}, cluster.members.length > 1 ? digits(cluster.silhouette, 2) : "–"),
    h("td", {class: "text"}, cut(suite[cluster.medoid].label, 50)),
    h("td", {class: "text wrap"}, apartText(cluster) || say("nothing")),
    h("td", {class: "text wrap"}, listed([...programs])));
}
