// What the devices could reach with the kernels, and what they are predicted to reach.

views.roofline = (view, say) => {
  if (!view.entries.length) return null;
  const some = view.kernels.filter((kernel) => kernel.floatingPoint).slice(0, 12);
  const others = view.kernels.filter((kernel) => !kernel.floatingPoint);
  const roofs = view.entries.slice(0, 6).flatMap(({device}) => roofsOf(device, some, view, say));
  const points = roofs.flatMap(
    (roof) => some.map((kernel, i) => ({kernel, number: i + 1}))
                .filter(({kernel}) => roof.kernels.includes(kernel))
                .map((one) => reachedPoint(one, roof, roof.device === roofs[0].device, say)));
  if (!points.length) return {above: h("p", {}, say("none"))};
  const caption = say("caption", {
    kernels: some
               .map((kernel, i) => say("kernel", {
                 number: i + 1,
                 kernel: cut(kernel.name, 32),
                 intensity: short(accessedIntensity(kernel)),
               }))
               .join(", "),
  });
  const without = others.length ?
    ` ${say("without", {kernels: listed(others.map((kernel) => cut(kernel.name, 32)))})}` :
    "";
  const [first] = view.entries;
  const shares = points.filter((point) => point.roof.device === first.device)
                   .map((point) => point.y / Math.min(point.roof.peak, point.x * point.roof.slope));
  const ends = [Math.min(...shares), Math.max(...shares)].map(percent);
  const reached = () => say("reached", {
    device: first.device.id,
    shares: ends[0] === ends[1] ? ends[0] : say("range", {low: ends[0], high: ends[1]}),
  });
  return {
    caption: `${caption}${shares.length ? ` ${reached()}` : ""}${without}`,
    picture: (width) => roofline({
      width,
      roofs,
      points,
      label: say("label"),
      y: say("y"),
      x: say("x"),
    }),
  };
};

// Operations per byte that the instructions of the longest launch access, whatever caches do.
function accessedIntensity(kernel) {
  const sum = (...keys) => keys.reduce((all, key) => all + (metric(kernel, key) || 0), 0);
  const bytes = sum("bytes_read_global", "bytes_read_constant", "bytes_written_global");
  return sum("fp_ops", "matrix_ops") / Math.max(bytes, 1);
}

// One for the kernels that multiply matrices of a type for which the device has units, and one for
// all others. A device whose peak is not known has none.
function roofsOf(device, kernels, view, say) {
  const peaks = {"": device.peak, ...device.matrixPeaks};
  const unitsOf = (kernel) => (kernel.matrices in peaks ? kernel.matrices : "");
  const launched = kernels.filter((kernel) => isLaunchedOn(kernel, device));
  const types = [...new Set(["", ...launched.map(unitsOf)])].filter((type) => peaks[type] !== null);
  return types.map((type) => {
    const {bandwidth: slope} = device;
    const name = type ? say("matrices", {device: device.id, type}) : device.id;
    return {
      device,
      kernels: launched.filter((kernel) => unitsOf(kernel) === type),
      name,
      index: view.lookOf(device),
      peak: peaks[type],
      slope,
      title: say("roof", {device: name, peak: digits(peaks[type], 3), slope: short(slope)}),
    };
  });
}

function reachedPoint({kernel, number}, roof, isNumbered, say) {
  const {device} = roof;
  const x = kernel.operations / Math.max(memoryBytes(kernel, device), 1);
  const y = kernel.operations / entryOf([kernel], device, 0).micros / 1e3;
  return {
    roof,
    x,
    y,
    index: roof.index,
    text: isNumbered ? String(number) : "",
    title: say("point", {
      number,
      kernel: kernel.name,
      device: device.id,
      rate: digits(y, 3),
      intensity: short(x),
    }),
  };
}
