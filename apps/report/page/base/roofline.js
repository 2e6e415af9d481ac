// Rooflines: what devices can reach, over the operations per byte.
//   roofs: name, index, peak (10^9 operations per second), slope (GB/s)
//   points: x, y, index, title, text (beside the mark, where it is given)
function roofline({width, label, x, y, roofs, points = [], legends}) {
  const xs = points.map((point) => point.x).concat(roofs.map((roof) => roof.peak / roof.slope));
  const ys = points.map((point) => point.y);
  const xMin = 10 ** Math.floor(Math.log10(Math.min(...xs) / 2));
  const xMax = 10 ** Math.ceil(Math.log10(Math.max(...xs) * 2));
  const peaks = roofs.map((roof) => roof.peak);
  const least = ys.length ? Math.min(...ys) : Math.min(...peaks) / 50;
  const yMin = 10 ** Math.floor(Math.log10(least));
  const yMax = 10 ** Math.ceil(Math.log10(Math.max(...peaks)));
  const lineOf = (roof) => {
    const from = Math.max(xMin, yMin / roof.slope);
    const flat = [[roof.peak / roof.slope, roof.peak], [xMax, roof.peak]];
    return [[from, from * roof.slope], ...flat];
  };
  const marked = points.filter((point) => point.text);
  return plot({
    width,
    height: 400,
    label,
    legends: legends || roofs.map((roof) => ({...roof, line: true})),
    x: {min: xMin, max: xMax, scale: "log", format: short, label: x},
    y: {
      min: yMin,
      max: yMax,
      scale: "log",
      format: short,
      label: y,
    },
    series: [
      ...roofs.map((roof) => ({
        name: roof.title || roof.name,
        index: roof.index,
        line: true,
        marks: false,
        points: lineOf(roof),
      })),
      ...points.map((point) => ({
        name: point.title,
        index: point.index,
        points: [[point.x, point.y, point.title]],
      })),
    ],
    texts: marked.map((point) => ({...point, dy: -8, anchor: "middle"})),
  });
}
