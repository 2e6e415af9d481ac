// What the kernels are like, independently of any device.

views.radar = (view, say) => {
  const some = view.kernels.slice(0, 6);
  if (!some.length) return null;
  const scaled = radarAxes.map(({key}) => radarScale(key));
  return {
    caption: say("caption", {count: radarAxes.length}),
    picture: (width) => radar({
      width,
      label: say("label"),
      axes: radarAxes,
      series: some.map((kernel, i) => ({
        name: kernel.name,
        index: kernelLook(i),
        values: radarAxes.map(({key}, i) => Math.min(1, scaled[i](metric(kernel, key)))),
        texts: radarAxes.map(({key}) => valueText(metric(kernel, key))),
      })),
    }),
  };
};

function radarScale(key) {
  const most = Math.max(...data.kernels.map((kernel) => metric(kernel, key) || 0));
  const {fraction} = data.catalogue[metricPlace[key]];
  if (fraction) return (value) => value || 0;
  if (isLinear(key)) return (value) => value ? value / most : 0;
  return (value) => value ? Math.log1p(value) / Math.log1p(most) : 0;
}
