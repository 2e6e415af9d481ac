// Which kernels are alike, whatever the device: distances between their profiles, and the two
// directions in which these differ most.

// Eigenvectors of a symmetric matrix by Jacobi's rotations, largest eigenvalue first.
function eigenvectors(matrix) {
  const n = matrix.length;
  const a = matrix.map((row) => row.slice());
  const v = a.map((_, i) => a.map((__, k) => i === k ? 1 : 0));
  for (let sweep = 0; sweep < 60; ++sweep) {
    let off = 0;
    for (let p = 0; p < n; ++p)
      for (let q = p + 1; q < n; ++q) {
        off += a[p][q] ** 2;
        if (Math.abs(a[p][q]) < 1e-300) continue;
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        const sine = t * c;
        for (let i = 0; i < n; ++i) {
          const [x, y] = [a[i][p], a[i][q]];
          a[i][p] = c * x - sine * y;
          a[i][q] = sine * x + c * y;
        }
        for (let i = 0; i < n; ++i) {
          const [x, y] = [a[p][i], a[q][i]];
          a[p][i] = c * x - sine * y;
          a[q][i] = sine * x + c * y;
        }
        for (let i = 0; i < n; ++i) {
          const [x, y] = [v[i][p], v[i][q]];
          v[i][p] = c * x - sine * y;
          v[i][q] = sine * x + c * y;
        }
      }
    if (off < 1e-22) break;
  }
  return a.map((_, k) => ({ value: a[k][k], vector: v.map((row) => row[k]) })).sort((x, y) => y.value - x.value);
}

// Columns with mean 0 and standard deviation 1; those that do not vary are left out.
function standardised(rows) {
  const columns = rows[0].map((_, k) => rows.map((row) => row[k])).map((column) => {
    const mean = column.reduce((x, y) => x + y, 0) / column.length;
    const deviation = Math.sqrt(column.reduce((x, y) => x + (y - mean) ** 2, 0) / column.length);
    return deviation > 1e-12 * Math.max(1, Math.abs(mean)) ? column.map((value) => (value - mean) / deviation) : null;
  });
  const kept = columns.map((column, k) => column ? k : -1).filter((k) => k >= 0);
  return { rows: rows.map((_, i) => kept.map((k) => columns[k][i])), kept };
}

// Principal components of rows of numbers: scores by row and component, the share of the variance of
// each component, and how much each column counts in it.
function principal(rows) {
  const { rows: points, kept } = standardised(rows);
  if (!kept.length) return { scores: rows.map(() => []), shares: [], loadings: [], kept };
  const covariance = kept.map((_, i) => kept.map((__, k) => points.reduce((sum, row) => sum + row[i] * row[k], 0) / points.length));
  const vectors = eigenvectors(covariance);
  const total = vectors.reduce((sum, one) => sum + Math.max(0, one.value), 0);
  for (const one of vectors) { // the sign is free: the largest coefficient is positive
    const largest = one.vector.reduce((x, y) => Math.abs(y) > Math.abs(x) ? y : x, 0);
    if (largest < 0) one.vector = one.vector.map((x) => -x);
  }
  return {
    scores: points.map((row) => vectors.map((one) => one.vector.reduce((sum, x, k) => sum + x * row[k], 0))),
    shares: vectors.map((one) => Math.max(0, one.value) / total), loadings: vectors.map((one) => one.vector), kept, points,
  };
}

function likenessSection(view) {
  const own = data.kernels.map((kernel) => ({ kernel, name: kernel.name, mine: true }));
  const others = data.before ? data.before.kernels.map((kernel) => ({ kernel, name: `${kernel.name} (${cut(data.before.run, 20)})`, mine: false })) : [];
  const all = [...own, ...others];
  if (all.length < 3) return null;
  const rows = all.map(({ kernel }) => radarAxes.map(([key]) => {
    const value = metric(kernel, key) || 0;
    return data.catalogue[metricPlace[key]].fraction || key.includes("entropy") ? value : Math.log1p(value);
  }));
  const found = principal(rows);
  if (found.shares.length < 2) return null;
  const names = (component) => found.loadings[component].map((weight, k) => [Math.abs(weight), radarAxes[found.kept[k]][1]])
    .sort((a, b) => b[0] - a[0]).slice(0, 3).map(([, name]) => name).join(", ");
  const limits = [0, 1].map((component) => {
    const values = found.scores.map((row) => row[component]);
    const margin = 0.12 * (Math.max(...values) - Math.min(...values)) || 1;
    return { min: Math.min(...values) - margin, max: Math.max(...values) + margin };
  });
  const distance = (i, k) => Math.hypot(...found.points[i].map((x, c) => x - found.points[k][c]));
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
