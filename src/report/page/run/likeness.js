// Which kernels of a run are alike, whatever the device.

function likenessSection(view) {
  const own = data.kernels.map((kernel) => ({ kernel, name: kernel.name, mine: true }));
  const others = data.before ? data.before.kernels.map((kernel) => ({ kernel, name: `${kernel.name} (${cut(data.before.run, 20)})`, mine: false })) : [];
  const all = [...own, ...others];
  if (all.length < 3) return null;
  const rows = all.map(({ kernel }) => radarAxes.map(([key]) => comparable(kernel, key)));
  const found = principal(rows);
  if (found.shares.length < 2) return null;
  const names = (component) => found.loadings[component].map((weight, k) => [Math.abs(weight), radarAxes[found.kept[k]][1]])
    .sort((a, b) => b[0] - a[0]).slice(0, 3).map(([, name]) => name).join(", ");
  const limits = [0, 1].map((component) => {
    const values = found.scores.map((row) => row[component]);
    const margin = 0.12 * (Math.max(...values) - Math.min(...values)) || 1;
    return { min: Math.min(...values) - margin, max: Math.max(...values) + margin };
  });
  const distance = (i, k) => distanceBetween(found.points[i], found.points[k]);
  const nearest = own.map((one, i) => ({ one, near: all.map((other, k) => ({ other, distance: distance(i, k) })).filter(({ other }) => other !== one)
    .sort((a, b) => a.distance - b.distance).slice(0, 3) }));
  const focus = nearest.find(({ one }) => one.kernel === view.focus);
  const format = (value) => digits(Math.abs(value) < 1e-9 ? 0 : value, 2);
  return section("likeness", "Likeness",
    chart((width) => plot({ width, height: 400, label: "Kernels by the first two principal components of their metrics",
      x: { ...limits[0], format, label: `first component, ${percent(found.shares[0])}: ${names(0)}` },
      y: { ...limits[1], format, label: `second, ${percent(found.shares[1])}: ${names(1)}` },
      legends: others.length ? [{ name: cut(data.run, 40), index: 0 }, { name: cut(data.before.run, 40), index: 6 }] : [],
      series: all.map((one, i) => ({ name: one.name, index: one.mine ? 0 : 6, points: [[found.scores[i][0], found.scores[i][1], one.name]] })),
      texts: all.map((one, i) => ({ x: found.scores[i][0], y: found.scores[i][1], dy: -9, anchor: "middle", text: cut(one.name, 26) })) }),
      `Kernels that are close to each other are alike in the metrics of the section before, whatever the device. The axes are the two directions in which these kernels differ most, and the metrics that count most in them.${focus ? ` ${cut(focus.one.name, 40)} is most like ${cut(focus.near[0].other.name, 60)}.` : ""}`),
    table(["kernel", "most like", "then", "then"], nearest.map(({ one, near }) => h("tr", {}, h("th", { scope: "row" }, cut(one.name, 40)),
      near.map(({ other, distance: far }) => h("td", {}, cut(other.name, 40), h("span", { class: "quiet" }, ` ${digits(far, 2)}`))))), "tall names"),
    h("p", { class: "quiet" }, "Numbers are distances in standard deviations. With --compare and the profiles of a suite, the page tells which of its kernels a new one is like."));
}
