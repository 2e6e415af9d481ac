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
    picture: (width) => shareBars({
      width,
      label: say("label"),
      axisTitle: say("axis"),
      rows: byRank.map((share) => shareRow(share, split.groups, view, say)),
      lines: gain > 1.02 ? [done, byOne] : [done],
    }),
  };
};

function shareRow({device, groups, micros}, all, view, say) {
  if (!groups) return {name: device.id, text: say("nothing")};
  const text = say("share", {groups, share: percent(groups / all)});
  return {
    name: device.id,
    text,
    micros,
    index: view.lookOf(device),
    title: say("title", {device: device.id, text, time: duration(micros)}),
  };
}

// A bar per device from 0 to the end of its share, in microseconds.
//   rows: name, text (inside of the bar if it fits); micros, index (of the look) and title of a bar
//   lines: x, text: limits over all rows, named above
function shareBars({width, label, rows, axisTitle, lines}) {
  const longest = Math.max(...rows.map((row) => widthOf(cut(row.name, 28))), 20);
  const left = Math.min(180, 14 + longest), right = 24, rowHeight = 30;
  const max = Math.max(...rows.map((row) => row.micros || 0), ...lines.map((line) => line.x));
  const scale = scales.linear(0, max * 1.04 || 1);
  const px = (value) => left + scale.at(value) * (width - left - right);
  const head = 8 + 14 * lines.length;  // a row for the text of each line
  const end = head + rows.length * rowHeight;
  const parts = [];
  for (const tick of scale.ticks(Math.max(2, Math.floor((width - left - right) / 80)))) {
    parts.push(s("line", {x1: px(tick), x2: px(tick), y1: head, y2: end, class: "grid"}));
    parts.push(axisText(px(tick), end + 16, duration(tick)));
  }
  rows.forEach((row, i) => {
    const y = head + i * rowHeight, middle = y + rowHeight / 2 + 4;
    parts.push(axisText(left - 8, middle, cut(row.name, 28), "end", {class: "name"}));
    if (!row.micros) {
      parts.push(axisText(left + 8, middle, row.text, "start", {class: "value"}));
      return;
    }
    const length = Math.max(0.5, px(row.micros) - left);
    const box = {x: left, y: y + 5, width: length, height: rowHeight - 10};
    parts.push(s("rect", {...box, class: `bar c${hue(row.index)}`}, s("title", {}, row.title)));
    const isInside = length > widthOf(row.text) + 16;
    const [x, look] = isInside ? [left + 8, "inside"] : [left + length + 6, "value halo"];
    parts.push(axisText(x, middle, row.text, "start", {class: look}));
  });
  lines.forEach((line, i) => {
    const x = px(line.x), half = widthOf(line.text) / 2;
    parts.push(s("line", {x1: x, x2: x, y1: 16 + 14 * i, y2: end, class: "limit"}));
    const middle = Math.max(half, Math.min(width - half, x));
    parts.push(axisText(middle, 12 + 14 * i, line.text, "middle", {class: "tick halo"}));
  });
  parts.push(axisText(left + (width - left - right) / 2, end + 34, axisTitle));
  return frame(width, end + 40, label, ...parts);
}
