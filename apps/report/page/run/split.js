// How the longest launch of a kernel is divided among the devices. C++ has divided it among any of
// the first of those that the report was written for.

// `devices`: those chosen that the kernel is launched on. Null if this division is not known.
function divided(kernel, devices, exposed) {
  const ids = data.chosen.filter((id) => devices.some((device) => device.id === id));
  const divisions = kernel.main.splits[exposed] || kernel.main.splits[0];
  const row = divisions[ids.join()];
  if (!row || ids.length < devices.length) return null;
  const [dimension, makespan, ...numbers] = row;
  const shares = ids.map((id, i) => ({
    device: devices.find((device) => device.id === id),
    groups: numbers[2 * i],
    micros: numbers[2 * i + 1],
  }));
  const singles = ids.map((id) => ({id, micros: divisions[id][1]}));
  return {
    dimension,
    makespan,
    shares,
    groups: shares.reduce((sum, share) => sum + share.groups, 0),
    single: singles.reduce((a, b) => b.micros < a.micros ? b : a),
  };
}
// The devices as they are, by rank.
const dividing = ({focus, able, exposed}) =>
  ranked([focus], able, exposed).map((one) => one.device);

views.split = (view, say) => {
  const kernel = view.focus;
  const devices = dividing(view);
  if (!kernel.main || !devices.length) return null;
  if (devices.length < 2) return {above: h("p", {}, say("one"))};
  const split = divided(kernel, devices, kernel.transfersKnown ? view.exposed : 0);
  if (!split) {
    const words = ["aiwc split RUN --kernel", kernel.kernel, "--devices"];
    words.push(devices.map(({id}) => id).join());
    if (view.exposed) words.push("--transfers 1");
    return {
      above: h("p", {}, `${say("unknown", {devices: listed(data.chosen.slice(0, data.divided))})} `,
        h("code", {}, words.join(" ")))
    };
  }
  const asTheyAre = view.whatIf === null ? null : h("p", {class: "quiet"}, say("asTheyAre"));
  const used = split.shares.filter((share) => share.groups > 0);
  if (used.length < 2)  // a chart would have one bar
    return {
      above: [
        h("p", {}, say("whole", {
          kernel: cut(kernel.name, 40),
          groups: split.groups,
          device: used[0].device.id,
        })),
        asTheyAre,
      ]
    };
  const {single} = split;
  const gain = single.micros / split.makespan;
  const done = {x: split.makespan, text: say("done", {time: duration(split.makespan)})};
  const byOne = {
    x: single.micros,
    text: say("alone", {device: single.id, time: duration(single.micros)})
  };
  const byRank = devices.map((device) => split.shares.find((share) => share.device === device));
  return {
    above: asTheyAre,
    caption: say("caption", {
      kernel: cut(kernel.name, 40),
      groups: split.groups,
      direction: "xyz"[split.dimension],
      factor: times(gain),
      alone: single.id,
    }),
    picture: (width) => gantt({
      width,
      label: say("label"),
      axisTitle: say("axis"),
      panels: [{rows: byRank.map((share) => shareRow(share, split.groups, view, say))}],
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
