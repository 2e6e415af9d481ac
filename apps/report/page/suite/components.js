// Principal components: the directions in which rows of numbers differ most.

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
        for (const row of [...a, ...v]) {
          const [x, y] = [row[p], row[q]];
          row[p] = c * x - sine * y;
          row[q] = sine * x + c * y;
        }
        for (let i = 0; i < n; ++i) {
          const [x, y] = [a[p][i], a[q][i]];
          a[p][i] = c * x - sine * y;
          a[q][i] = sine * x + c * y;
        }
      }
    if (off < 1e-22) break;
  }
  return a.map((_, k) => ({value: a[k][k], vector: v.map((row) => row[k])}))
    .sort((x, y) => y.value - x.value);
}

// Columns with mean 0 and standard deviation 1; those that do not vary are left out. A missing
// number (null) counts as its column's mean. `standardise` does to another row what was done to
// these.
function standardised(rows) {
  const columns = rows[0].map((_, k) => {
    const known = rows.map((row) => row[k]).filter((value) => value !== null);
    const mean = known.reduce((x, y) => x + y, 0) / (known.length || 1);
    const deviation =
      Math.sqrt(known.reduce((x, y) => x + (y - mean) ** 2, 0) / (known.length || 1));
    return {mean, deviation, varies: deviation > 1e-12 * Math.max(1, Math.abs(mean))};
  });
  const kept = columns.map((column, k) => column.varies ? k : -1).filter((k) => k >= 0);
  const standardise = (row) =>
    kept.map((k) => row[k] === null ? 0 : (row[k] - columns[k].mean) / columns[k].deviation);
  return {rows: rows.map(standardise), kept, columns, standardise};
}

// Principal components of rows of numbers: scores by row and component, the share of the variance
// of each component, and how much each column counts in it. `points` are the standardised rows,
// `scoresOf` returns the scores of another row.
function principal(rows) {
  const {rows: points, kept, columns, standardise} = standardised(rows);
  if (!kept.length)
    return {
      scores: rows.map(() => []),
      shares: [],
      loadings: [],
      variances: [],
      kept,
      columns,
      points,
      standardise,
      scoresOf: () => []
    };
  const covariance =
    kept.map((_, i) => kept.map(
               (__, k) => points.reduce((sum, row) => sum + row[i] * row[k], 0) / points.length));
  const vectors = eigenvectors(covariance);
  const total = vectors.reduce((sum, one) => sum + Math.max(0, one.value), 0);
  for (const one of vectors) {  // the sign is free: the largest coefficient is positive
    const largest = one.vector.reduce((x, y) => Math.abs(y) > Math.abs(x) ? y : x, 0);
    if (largest < 0) one.vector = one.vector.map((x) => -x);
  }
  const along = (point) =>
    vectors.map((one) => one.vector.reduce((sum, x, k) => sum + x * point[k], 0));
  const variances = vectors.map((one) => Math.max(0, one.value));
  return {
    scores: points.map(along),
    variances,
    shares: variances.map((variance) => variance / total),
    loadings: vectors.map((one) => one.vector),
    kept,
    columns,
    points,
    standardise,
    scoresOf: (row) => along(standardise(row)),
  };
}
const distanceBetween = (a, b) => Math.hypot(...a.map((x, c) => x - b[c]));

// The range of an axis for scores, with a margin as a share of their range, and a score as text.
function limitsOf(values, margin) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const beside = margin * (most - least) || 1;
  return {min: least - beside, max: most + beside};
}
const scoreText = (value) => digits(Math.abs(value) < 1e-9 ? 0 : value, 2);
