// Curves over sizes in bytes, on logarithmic axes.
function curvePlot({width, say, series, yScale = "linear"}) {
  const points = series.flatMap((one) => one.points);
  const [xs, ys] = [0, 1].map((i) => points.map((point) => point[i]));
  return plot({
    width,
    series,
    height: 340,
    label: say("label"),
    x: {
      min: 2 ** Math.floor(Math.log2(Math.min(...xs))),
      max: 2 ** Math.ceil(Math.log2(Math.max(...xs) * 1.001)),
      scale: "log2",
      format: bytesText,
      label: say("x"),
    },
    y: {
      min: Math.min(...ys) / 1.3,
      max: Math.max(...ys) * 1.3,
      scale: yScale,
      format: short,
      label: say("y")
    },
  });
}
