// How large a cache has to be, and how large those of the devices are.

views.caches = (view, say) => {
  const some = view.kernels.slice(0, markers.length).filter((kernel) => kernel.misses.length);
  if (!some.length) return {above: h("p", {}, say("none"))};
  const verticals = view.devices.slice(0, 6).flatMap(
    (device) => Object.entries(device.caches).map(([level, bytes]) => ({
      x: bytes,
      index: view.lookOf(device),
      label: say("cache", {device: device.id, level}),
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

// The ratios of larger sizes are the last one.
function missPoints({name, misses}, max, say) {
  return data.curveSizes.filter((size) => size <= max).map((size, i) => {
    const ratio = misses[Math.min(i, misses.length - 1)];
    return [
      size, ratio, say("point", {kernel: name, share: percent(ratio), bytes: bytesText(size)})
    ];
  });
}
