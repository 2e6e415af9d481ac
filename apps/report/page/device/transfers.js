// Times of transfers over their size, with what was fitted to them.

views.transfers = (view, say) => data.transfers.length ? {
  caption: say("caption"),
  picture: (width) => curvePlot({
    width,
    say,
    yScale: "log",
    series: data.transfers.flatMap(
      (one, i) => [{name: say(one.direction), index: 2 * i, points: one.points},
        {
          name: say("fit", {latency: digits(one.latency_us, 3), rate: digits(one.gb_per_s, 3)}),
          index: 2 * i + 1,
          line: true,
          marks: false,
          points: one.fit,
        },
]),
  }),
} :
                                                         null;
