// Hierarchical clustering by Ward's method, and how good a division into clusters is.

// The tree of points under Ward's criterion: each step joins the two clusters that increase the sum
// of squared distances to their clusters' means least. Returns the joins in that order, { a, b,
// height, size }: cluster i < n is point i, cluster n + i is what join i made. The height is the
// square root of twice the increase, so that of two single points is their distance; it never
// decreases. The distances of a new cluster follow from those of its parts (Lance and Williams,
// 1967); the time grows with the cube of the number of points.
function wardTree(points) {
  const n = points.length;
  const squared =
    points.map((a) => points.map((b) => a.reduce((sum, x, c) => sum + (x - b[c]) ** 2, 0)));
  const active = points.map((_, i) => ({id: i, row: i, size: 1}));
  const joins = [];
  while (active.length > 1) {
    let best = [0, 1];
    let least = Infinity;
    for (let i = 0; i < active.length; ++i) {
      const row = squared[active[i].row];
      for (let k = i + 1; k < active.length; ++k)
        if (row[active[k].row] < least) {
          least = row[active[k].row];
          best = [i, k];
        }
    }
    const [one, other] = best.map((i) => active[i]);
    const size = one.size + other.size;
    for (const third of active) {
      if (third === one || third === other) continue;
      const distance =
        ((third.size + one.size) * squared[third.row][one.row] +
          (third.size + other.size) * squared[third.row][other.row] - third.size * least) /
        (third.size + size);
      squared[third.row][one.row] = squared[one.row][third.row] = distance;
    }
    joins.push({a: one.id, b: other.id, height: Math.sqrt(Math.max(0, least)), size});
    active.splice(best[1], 1);
    active[best[0]] = {id: n + joins.length - 1, row: one.row, size};
  }
  return joins;
}

// The points from the tree's one end to the other, so that no two branches cross: of each join, the
// larger cluster first.
function leafOrder(joins, n) {
  const order = [];
  const sizeOf = (id) => id < n ? 1 : joins[id - n].size;
  const todo = [joins.length ? n + joins.length - 1 : 0];
  while (todo.length) {
    const id = todo.pop();
    if (id < n) {
      order.push(id);
      continue;
    }
    const {a, b} = joins[id - n];
    const [first, second] = sizeOf(a) >= sizeOf(b) ? [a, b] : [b, a];
    todo.push(second, first);
  }
  return order;
}

// The tree cut into `count` clusters: of each point the number of its cluster, from 0 in `order`.
function cutTree(joins, order, count) {
  const n = order.length;
  const parent = new Map();
  joins.slice(0, Math.max(0, n - count)).forEach(({a, b}, i) => {
    parent.set(a, n + i);
    parent.set(b, n + i);
  });
  const rootOf = (id) => {
    while (parent.has(id)) id = parent.get(id);
    return id;
  };
  const numbers = new Map();
  const labels = [];
  for (const point of order) {
    const root = rootOf(point);
    if (!numbers.has(root)) numbers.set(root, numbers.size);
    labels[point] = numbers.get(root);
  }
  return labels;
}

const distancesOf = (points) => points.map((a) => points.map((b) => distanceBetween(a, b)));
const meanOf = (values) => values.reduce((x, y) => x + y, 0) / values.length;

// How well each point lies in its cluster, from -1 to 1: (b - a) / max(a, b), where a is its mean
// distance to the others of its cluster and b that to the points of the nearest other cluster; 0
// for a point that is its own cluster (Rousseeuw, 1987).
function silhouettes(distances, labels) {
  const count = Math.max(...labels) + 1;
  const sizes = Array(count).fill(0);
  for (const label of labels) ++sizes[label];
  return labels.map((own, i) => {
    if (sizes[own] === 1 || count === 1) return 0;
    const sums = Array(count).fill(0);
    labels.forEach((label, k) => {
      sums[label] += distances[i][k];
    });
    const a = sums[own] / (sizes[own] - 1);
    const b = Math.min(...sums.map((sum, label) => label === own ? Infinity : sum / sizes[label]));
    return a === b ? 0 : (b - a) / Math.max(a, b);
  });
}

// The member whose distances to the others have the least sum.
function medoidOf(members, distances) {
  const sumOf = (i) => members.reduce((sum, k) => sum + distances[i][k], 0);
  return members.reduce((best, i) => sumOf(i) < sumOf(best) ? i : best, members[0]);
}

// The smallest of the values that a share of them does not exceed.
function quantile(values, share) {
  const sorted = values.slice().sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length - 1e-9) - 1)];
}
