// How long the run takes on each device, with the interval of each time.

views.ranking = (view, say) => {
  if (!view.entries.length) return {above: h("p", {}, say("none"))};
  const isChanged = view.whatIf !== null;
  const rows = view.entries.map((entry) => rankedRow(entry, isChanged, view, say));
  const hatched = view.exposed > 0 ? ` ${say("hatched")}` : "";
  const caption = `${say("caption", {what: view.title})}${hatched}`;
  const transfers =
    checkbox(say("transfers"), view.exposed > 0, (on) => set({exposed: Number(on)}));
  transfers.firstChild.id = "transfers";
  transfers.firstChild.disabled = !view.transfersKnown;
  const isMeasured = !isChanged && view.entries.some((entry) => measuredMicros(view, entry));
  const ring = (isMeasured ? ` ${say("ring")}` : "") + follows(view, say);
  const titles = columns(say);
  if (isMeasured) titles.splice(2, 0, say("measuredColumn"));
  return {
    above: h("p", {class: "controls"}, transfers,
      view.transfersKnown ? null : h("span", {class: "quiet"}, ` ${say("unknownTransfers")}`)),
    caption: isChanged ? `${caption} ${say("changed")}` : caption + ring,
    picture: (width) => intervals({width, rows, label: say("label"), axisTitle: say("axis")}),
    below: table(titles, view.entries.map((entry) => rankedCells(entry, isMeasured, view, say))),
  };
};

// From how many times, and of which devices, the times follow; nothing if none were measured.
function follows(view, say) {
  const counts = {};
  for (const kernel of view.kernels)
    for (const [device, launches] of Object.entries(kernel.measuredOn || {}))
      counts[device] = (counts[device] || 0) + launches;
  return Object.entries(counts)
    .map(([device, number]) => ` ${say("follows", {device, number: String(number)})}`)
    .join("");
}

// What the kernels took on the device; null if one of them was not measured on it.
function measuredMicros(view, {device}) {
  const times = view.kernels.map((kernel) => kernel.measured && kernel.measured[device.id]);
  return times.every((time) => time > 0) ? times.reduce((sum, time) => sum + time, 0) : null;
}

function rankedRow(entry, isChanged, view, say) {
  const {device, low, high} = entry;
  const [time, least, most] = [entry.micros, low, high].map(duration);
  const row = {
    name: device.id,
    value: entry.micros,
    low,
    high,
    index: view.lookOf(device),
    text: entry.tie ? say("tied", {time}) : time,
    title: say("title", {device: device.id, time, low: least, high: most}),
    without: entry.transfers > 0 ? entry.micros - entry.transfers : null,
  };
  const measured = measuredMicros(view, entry);
  if (!isChanged && measured)
    return {...row, before: measured, beforeTitle: say("measured", {time: duration(measured)})};
  if (!isChanged) return row;
  const unchanged = view.unchanged.get(device.id);
  if (!unchanged) return row;
  return {
    ...row,
    before: unchanged.micros,
    beforeTitle: say("before", {time: duration(unchanged.micros)}),
  };
}

function rankedCells(entry, isMeasured, view, say) {
  const measured = measuredMicros(view, entry);
  const {device, low, high, relative, boundBy, micros} = entry;
  const share = percent(partTime(entry, boundBy) / micros);
  return h("tr", {}, h("th", {scope: "row", title: device.name}, device.id),
    h("td", {}, duration(micros)),
    isMeasured ? h("td", {}, measured ? duration(measured) : "") : null,
    h("td", {}, say("interval", {low: duration(low), high: duration(high)})),
    h("td", {}, digits(relative, 2)), h("td", {}, say("mostOf", {part: partName(boundBy), share})),
    h("td", {}, entry.probability === null ? "" : percent(entry.probability)),
    h("td", {},
      entry.tie      ? say("tie") :
        device.known ? "" :
                       say("notMeasured")));
}
