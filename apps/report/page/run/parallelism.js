// How many floating-point operations can run at once, and how many cores there are for them.

views.parallelism = (view, say) => {
  const some = view.kernels.slice(0, markers.length).filter((kernel) => kernel.levels.length);
  if (!some.length) return {above: h("p", {}, say("none"))};
  const series = some.map((kernel) => ({
    name: kernel.name,
    index: kernelLook(view.kernels.indexOf(kernel)),
    line: true,
    points: levelPoints(kernel, say),
  }));
  const verticals =
    view.devices.slice(0, 8).filter((device) => device.cores !== null).map((device) => ({
      x: device.cores,
      index: view.lookOf(device),
      label: say("cores", {device: device.id}),
    }));
  const xs = series.flatMap((one) => one.points.map((point) => point[0]));
  const max = 2 * Math.max(...xs, ...verticals.map((vertical) => vertical.x));
  const [first] = some;
  return {
    caption: say("caption", {
      kernel: cut(first.name, 40),
      count: short(first.levels.at(-1)[0]),
    }),
    picture: (width) => plot({
      width,
      height: 340,
      series,
      verticals,
      label: say("label"),
      x: {min: 1, max, scale: "log", format: short, label: say("x")},
      y: {min: 0, max: 1, format: percent, label: say("y")},
    }),
  };
};

// The share of the operations in levels of each width or more, as stairs.
function levelPoints(kernel, say) {
  const all = kernel.levels.reduce((sum, row) => sum + row[1], 0);
  let left = all;
  const points = [[1, 1]];
  for (const [width, operations] of kernel.levels) {
    const texts = {kernel: kernel.name, share: percent(left / all), width: digits(width, 15)};
    points.push([Math.max(1, width), left / all, say("point", texts)]);
    left -= operations;
    points.push([Math.max(1, width) * 1.0001, Math.max(0, left / all)]);
  }
  return points;
}
