// Which kernels of the suite are nearest to the new ones.

views.similarity = (view, say) => {
  if (!fresh.length || !view.clusters.length) return null;
  const focus = view.placed.find((one) => one.kernel === view.focus) || view.placed[0];
  const limit = deviations(view.analysis.limit);
  return {
    caption: nearestSentence(focus, limit, say),
    picture: (width) => radar({
      width,
      label: say("label"),
      axes: kiviatAxes,
      series: [
        {kernel: focus.kernel, index: 1},
        {kernel: focus.near[0].other, index: 0},
      ].map(({kernel, index}) => ({
        name: cut(kernel.label, 50),
        index,
        values: kiviatValues(kernel),
        texts: kiviatAxes.map((axis) => valueText(metric(kernel, axis.key))),
      })),
    }),
    below: [
      table(columns(say), view.placed.map((one) => placedCells(one, say)), "tall names"),
      h("p", {class: "quiet"}, say("distances", {limit})),
    ],
  };
};

function nearestSentence({kernel, near, outside, cluster, newValues, differences}, limit, say) {
  const distance = deviations(near[0].distance);
  const names = (metrics) => ({metrics: listed(metrics.map(metricName))});
  const most = differences.slice(0, 3).map((one) => one.key);
  const where = outside ? say("isOutside") : say("isInside", {cluster: clusterName(cluster)});
  const why = newValues.length ? say("newValues", names(newValues)) :
                                 say(outside ? "farther" : "nearer", {distance, limit});
  return say("caption", {kernel: cut(kernel.label, 60), why, where, ...names(most)});
}

function placedCells({kernel, outside, near, cluster}, say) {
  const nearCell = (one) => one ?
    [
      cut(one.other.label, 44),
      h("span", {class: "quiet"}, ` ${deviations(one.distance)}`),
    ] :
    "";
  return h("tr", {}, h("th", {scope: "row"}, cut(kernel.label, 50)),
    h("td", {class: "text"}, outside ? h("strong", {}, say("outside")) : say("inside")),
    [0, 1, 2].map((i) => h("td", {class: "text"}, nearCell(near[i]))),
    h("td", {}, outside ? say("noCluster") : [sample(cluster), ` ${cluster + 1}`]));
}
