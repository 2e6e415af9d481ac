// What the devices could reach with the kernels, and what they are predicted to reach.

views.roofline = (view, say) => {
  if (!view.entries.length) return null;
  const some = view.kernels.slice(0, 12);
  const roofs = view.entries.slice(0, 6)
                  .map(({device}) => roofOf(device, view, say))
                  .filter((roof) => roof.peak !== null);
  const points =
    roofs.flatMap((roof) => some.map((kernel, i) => ({kernel, number: i + 1}))
                              .filter(({kernel}) => kernel.operations > 0)
                              .map((one) => reachedPoint(one, roof, roof === roofs[0], say)));
  if (!points.length) return {above: h("p", {}, say("none"))};
  const caption = say("caption", {
    kernels: some.map((kernel, i) => `${i + 1} ${cut(kernel.name, 32)}`).join(", "),
  });
  const [first] = view.entries;
  const shares = points.filter((point) => point.roof.device === first.device)
                   .map((point) => point.y / Math.min(point.roof.peak, point.x * point.roof.slope));
  const ends = [Math.min(...shares), Math.max(...shares)].map(percent);
  const reached = () => say("reached", {
    device: first.device.id,
    shares: ends[0] === ends[1] ? ends[0] : say("range", {low: ends[0], high: ends[1]}),
  });
  const floating = some.some((kernel) => kernel.floatingPoint);
  return {
    caption: shares.length ? `${caption} ${reached()}` : caption,
    picture: (width) => roofline({
      width,
      roofs,
      points,
      label: say("label"),
      y: say("y"),
      x: say(floating ? "x" : "xInstructions"),
    }),
  };
};

function roofOf(device, view, say) {
  const rate = parameter(device, "fp32_rate") ?? parameter(device, "fp64_rate");
  const peak = rate === null ? null : parameter(device, "cores") * rate;
  const slope = parameter(device, "dram_bandwidth");
  const title = () => say("roof", {device: device.id, peak: short(peak), slope: short(slope)});
  return {
    device,
    name: device.id,
    index: view.lookOf(device),
    peak,
    slope,
    title: peak === null ? "" : title(),
  };
}

function reachedPoint({kernel, number}, roof, isNumbered, say) {
  const {device} = roof;
  const missed = memoryBytes(kernel.misses, device);
  const x = kernel.operations / Math.max(missed, 1);
  const y = kernel.operations / costOf([kernel], device, 0).micros / 1e3;
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
      rate: short(y),
      intensity: short(x),
    }),
  };
}
