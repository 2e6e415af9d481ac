// How the longest launch of a kernel is divided among the devices.

views.split = (view, say) => {
  const kernel = view.focus;
  const devices = view.entries.map((entry) => entry.device);
  if (!kernel.main || !devices.length) return null;
  if (devices.length < 2) return {above: h("p", {}, say("one"))};
  const split = splitOf(kernel, devices, kernel.transfersKnown ? view.exposed : 0);
  const single = Math.min(...split.single);
  const alone = devices[split.single.indexOf(single)].id;
  const used = split.shares.filter((share) => share.groups > 0);
  if (used.length < 2)  // a chart would have one bar
    return {
      above: h("p", {}, say("whole", {
        kernel: cut(kernel.name, 40),
        groups: split.groups,
        device: used[0].device.id,
      }))
    };
  const gain = single / split.makespan;
  const done = {x: split.makespan, text: say("done", {time: duration(split.makespan)})};
  const byOne = {x: single, text: say("alone", {device: alone, time: duration(single)})};
  return {
    caption: say("caption", {
      kernel: cut(kernel.name, 40),
      groups: split.groups,
      direction: "xyz"[split.dimension],
      factor: times(gain),
      alone,
    }),
    picture: (width) => gantt({
      width,
      label: say("label"),
      axisTitle: say("axis"),
      panels: [{rows: split.shares.map((share) => shareRow(share, split.groups, view, say))}],
      lines: gain > 1.02 ? [done, byOne] : [done],
    }),
  };
};

function shareRow({device, groups, micros}, all, view, say) {
  const text = say("share", {groups, share: percent(groups / all)});
  const bar = {
    begin: 0,
    end: micros,
    index: view.lookOf(device),
    text,
    beside: true,
    title: say("title", {device: device.id, text, time: duration(micros)}),
  };
  return {name: device.id, empty: say("nothing"), bars: groups ? [bar] : []};
}
