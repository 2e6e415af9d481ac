// The staircase of latencies over the working set, with the levels of the memory.

views.latency = (view, say) => {
  const {points, levels} = data.latency;
  if (!points.length) return null;
  let begin = points[0][0];
  const steps = levels.map((level, i) => {
    const memory = i + 1 === levels.length;
    const end = memory ? points.at(-1)[0] : level.bytes;
    const texts = {bytes: bytesText(level.bytes), value: digits(level.value, 3)};
    const step = {
      name: say(memory ? "memory" : "level", texts),
      index: i + 1,
      line: true,
      marks: false,
      points: [[begin, level.value], [end, level.value]],
    };
    begin = level.bytes;
    return step;
  });
  return {
    caption: say("caption"),
    picture: (width) => curvePlot({
      width,
      say,
      yScale: "log",
      series: [{name: say("load"), index: 0, points}, ...steps],
    }),
  };
};
