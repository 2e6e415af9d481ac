// Bandwidth of patterns of accesses over their footprint.

views.idioms = (view, say) => data.idioms.length ? {
  caption: say("caption"),
  picture: (width) => curvePlot({
    width,
    say,
    yScale: "log",
    series:
      data.idioms.map((one, index) => ({name: one.name, index, line: true, points: one.points})),
  }),
} :
                                                   null;
