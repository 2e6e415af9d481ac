// The roofs of a device: its peaks over its memory's and its caches' bandwidth.

views.roofline = (view, say) => {
  const {peaks, bandwidths} = data.roofline;
  if (!peaks.length || !bandwidths.length) return null;
  const roofs = bandwidths.flatMap((bandwidth) => peaks.map((peak) => ({peak, bandwidth})))
                  .map(({peak, bandwidth}, index) => ({
                    index,
                    peak: peak.value,
                    slope: bandwidth.value,
                    name: say("roof", {
                      peak: peak.name,
                      bandwidth: bandwidth.name,
                      rate: digits(peak.value, 3),
                      slope: digits(bandwidth.value, 3),
                    }),
                  }));
  return {
    caption: say("caption", {ridge: digits(peaks[0].value / bandwidths[0].value, 3)}),
    picture: (width) => roofline({width, roofs, label: say("label"), x: say("x"), y: say("y")}),
  };
};
