// How large a cache has to be, and how large those of the devices are.

views.caches = (view, say) => {
  const some = view.kernels.slice(0, markers.length)
                 .filter((kernel) => kernel.misses.some((curve) => curve.cold + curve.all > 0));
  if (!some.length) return {above: h("p", {}, say("none"))};
  const verticals = view.devices.slice(0, 6).flatMap(
    (device) => ["l1", "l2", "l3"]
                  .filter((level) => parameter(device, level) !== null)
                  .map((level) => ({
                    x: parameter(device, level),
                    index: view.lookOf(device),
                    label: say("cache", {device: device.id, level: level.toUpperCase()}),
                  })));
  const max = Math.max(2 ** 26, ...verticals.map((vertical) => vertical.x * 1.1));
  const series = some.map((kernel) => ({
    name: kernel.name,
    index: kernelLook(view.kernels.indexOf(kernel)),
    line: true,
    points: missPoints(kernel, max, say),
  }));
  const {points} = series[0];
  const fits = points.find((point) => point[1] <= points.at(-1)[1] + 0.01);
  return {
    caption: say("caption", {kernel: cut(some[0].name, 40), bytes: bytesText(fits[0])}),
    picture: (width) => plot({
      width,
      height: 360,
      series,
      verticals,
      label: say("label"),
      x: {min: 64, max, scale: "log2", format: bytesText, label: say("x")},
      y: {min: 0, max: 1, format: percent, label: say("y")},
    }),
  };
};

function missPoints(kernel, max, say) {
  const sum = (ofCurve) =>
    kernel.misses.reduce((total, curve) => total + curve.launches * ofCurve(curve), 0);
  const all = sum((curve) => curve.cold + curve.all);
  const points = [];
  for (let bytes = 64; bytes <= max; bytes *= 2 ** 0.125) {
    const size = Math.round(bytes);
    const ratio = sum((curve) => missedAccesses(curve, size)) / all;
    const texts = {kernel: kernel.name, share: percent(ratio), bytes: bytesText(size)};
    points.push([size, ratio, say("point", texts)]);
  }
  return points;
}
