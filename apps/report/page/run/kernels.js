// How the time divides among the kernels.

const leastShare = 0.01;  // of a device's time; what is below is folded away

views.kernels = (view, say) => {
  const mostDrawn = 16;
  const {entries} = view;
  if (!entries.length || view.kernels.length < 2)
    return null;  // the ranking has one kernel's times
  const timesOf = (kernel) =>
    entries.map((entry) => entryOf([kernel], entry.device, view.exposed).micros);
  const all = view.kernels.map((kernel) => ({kernel, values: timesOf(kernel)}))
                .sort((a, b) => b.values[0] - a.values[0]);
  const shareOf = (row) => percent(row.values[0] / entries[0].micros);
  const isShort = (row) => row.values.every((value, d) => value < leastShare * entries[d].micros);
  const notable = all.filter((row) => !isShort(row));
  const shortSaid = notable.length < all.length ?
    h("p", {class: "quiet"}, say("short", {count: all.length - notable.length})) :
    null;
  const [longest] = all;
  const caption = say("caption", {
    kernel: cut(longest.kernel.name, 40),
    share: shareOf(longest),
    device: entries[0].device.id,
  });
  const left = say("longest", {count: mostDrawn, all: notable.length});
  return {
    caption: notable.length > mostDrawn ? `${caption} ${left}` : caption,
    picture: (width) => groupedBars({
      width,
      label: say("label"),
      axisTitle: say("axis"),
      format: duration,
      titleOf: say,
      rows: notable.slice(0, mostDrawn).map(({kernel, values}) => ({name: kernel.name, values})),
      columns: entries.map(({device}) => ({name: device.id, index: view.lookOf(device)})),
    }),
    below: [
      table([...columns(say), ...entries.map(({device}) => device.id), say("share")],
        notable.map((row) => kernelCells(row, shareOf(row))), "tall"),
      shortSaid,
    ],
  };
};

function kernelCells({kernel, values}, share) {
  return h("tr", {}, h("th", {scope: "row", title: kernel.title}, cut(kernel.name, 60)),
    h("td", {}, digits(kernel.launches, 15)), values.map((value) => h("td", {}, duration(value))),
    h("td", {}, share));
}
