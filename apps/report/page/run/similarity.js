// Which kernels of a run are similar, whatever the device.

views.similarity = (view, say) => {
  const all = data.kernels.map((kernel) => ({kernel, name: kernel.name, index: kernelLook(0)}));
  if (all.length < 3) return null;
  const rows = all.map(({kernel}) => radarAxes.map(({key}) => comparable(kernel, key)));
  const found = principal(rows);
  if (found.shares.length < 2) return null;
  const nearest = nearestOf(all, found);
  const focus = nearest.find(({one}) => one.kernel === view.focus);
  const most = () => say("mostSimilar", {
    kernel: cut(focus.one.name, 40),
    other: cut(focus.near[0].other.name, 60),
  });
  return {
    caption: focus ? `${say("caption")} ${most()}` : say("caption"),
    picture: (width) => componentPlot(width, all, found, say),
    below: [
      table(columns(say), nearest.map(nearestCells), "tall names"),
      h("p", {class: "quiet"}, say("distances")),
    ],
  };
};

function nearestOf(all, found) {
  return all.map((one, i) => ({
    one,
    near: all
            .map((other, k) => ({
              other,
              distance: distanceBetween(found.points[i], found.points[k]),
            }))
            .filter(({other}) => other !== one)
            .sort((a, b) => a.distance - b.distance)
            .slice(0, 3),
  }));
}

function nearestCells({one, near}) {
  return h("tr", {}, h("th", {scope: "row"}, cut(one.name, 40)),
    near.map(({other, distance}) => h("td", {}, cut(other.name, 40),
               h("span", {class: "quiet"}, ` ${digits(distance, 2)}`))));
}

function componentPlot(width, all, found, say) {
  const axisOf = (component) => {
    const values = found.scores.map((row) => row[component]);
    const names =
      found.loadings[component]
        .map((weight, k) => ({weight: Math.abs(weight), name: radarAxes[found.kept[k]].name}))
        .sort((a, b) => b.weight - a.weight)
        .slice(0, 3)
        .map(({name}) => name);
    const texts = {share: percent(found.shares[component]), metrics: names.join(", ")};
    return {...limitsOf(values, 0.12), format: scoreText, label: say(component ? "y" : "x", texts)};
  };
  return plot({
    width,
    height: 400,
    label: say("label"),
    x: axisOf(0),
    y: axisOf(1),
    legends: [],
    series: all.map((one, i) => ({
      ...one,
      points: [[found.scores[i][0], found.scores[i][1], one.name]],
    })),
    texts: all.map((one, i) => ({
      x: found.scores[i][0],
      y: found.scores[i][1],
      dy: -9,
      anchor: "middle",
      text: cut(one.name, 26),
    })),
  });
}
