// Charts as SVG: they print, scale and follow the page's colours. Series differ by colour, dash and
// marker, so that nobody needs to tell colours apart.

const svgNamespace = "http://www.w3.org/2000/svg";

// An element with attributes and children; text is always text, never markup.
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on"))
      node.addEventListener(key.slice(2), value);
    else
      node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(2))
    if (child !== null && child !== undefined && child !== false)
      node.append(child instanceof Node ? child : document.createTextNode(child));
  return node;
}
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) =>
  fill(document.createElementNS(svgNamespace, tag), attributes, children);

// Numbers for people.
const numberFormat = new Intl.NumberFormat("en", {maximumSignificantDigits: 15});
function digits(value, count) {
  if (value === 0) return "0";
  const text = Number(value.toPrecision(count));
  return Math.abs(text) >= 1e15 || Math.abs(text) < 1e-4 ? text.toExponential() :
                                                           numberFormat.format(text);
}
function duration(micros) {
  for (const [unit, size] of [["s", 1e6], ["ms", 1e3], ["µs", 1]])
    if (micros >= 0.995 * size || unit === "µs" && micros >= 0.1)
      return `${digits(micros / size, 2)} ${unit}`;
  return micros > 0 ? `${digits(micros * 1e3, 2)} ns` : "0";
}
function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  while (bytes >= 1024 && i + 1 < units.length) {
    bytes /= 1024;
    ++i;
  }
  return `${digits(bytes, 3)} ${units[i]}`;
}
function short(value) {
  for (const [unit, size] of [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]])
    if (Math.abs(value) >= size) return `${digits(value / size, 3)} ${unit}`;
  return digits(value, 3);
}
const percent = (share) => share > 0 && share < 0.01 ? "<1 %" : `${digits(100 * share, 2)} %`;
const times = (factor) => `${digits(factor, factor < 100 ? 2 : 3)}×`;
const cut = (text, length) => text.length > length ? `${text.slice(0, length - 1)}…` : text;

const markers = [
  (x, y, r) => s("circle", {cx: x, cy: y, r}),
  (x, y, r) => s("rect", {x: x - r, y: y - r, width: 2 * r, height: 2 * r}),
  (x, y, r) =>
    s("path", {d: `M${x},${y - 1.3 * r}L${x + 1.2 * r},${y + r}L${x - 1.2 * r},${y + r}Z`}),
  (x, y, r) => s("path",
    {d: `M${x},${y - 1.4 * r}L${x + 1.4 * r},${y}L${x},${y + 1.4 * r}L${x - 1.4 * r},${y}Z`}),
  (x, y, r) =>
    s("path", {d: `M${x},${y + 1.3 * r}L${x + 1.2 * r},${y - r}L${x - 1.2 * r},${y - r}Z`}),
  (x, y, r) => s("path",
    {class: "open", d: `M${x - r},${y - r}L${x + r},${y + r}M${x - r},${y + r}L${x + r},${y - r}`}),
  (x, y, r) => s("path",
    {class: "open", d: `M${x - 1.3 * r},${y}H${x + 1.3 * r}M${x},${y - 1.3 * r}V${y + 1.3 * r}`}),
  (x, y, r) => s("path", {d: `M${x - r},${y - 0.4 * r}H${x + r}V${y + 0.4 * r}H${x - r}Z`}),
];
const dashes = ["", "7 3", "2 3", "9 3 2 3", "4 2", "1 2", "12 4", "6 2 1 2 1 2"];
// Marker and dash of a series, and its colour: 64 series differ. Kernels have
// colours of their own, so that none of theirs is that of a device.
const firstKernelLook = 64;
const kernelLook = (i) => firstKernelLook + i;
const look = (index) => index % markers.length;
function hue(index) {
  const set = Math.floor(index / firstKernelLook) % 2;
  const inSet = index % firstKernelLook;
  return set * markers.length + (inSet + Math.floor(inSet / markers.length)) % markers.length;
}
const markerOf = (index, x, y, r = 4) => {
  const marker = markers[look(index)](x, y, r);
  marker.setAttribute("class", `marker c${hue(index)} ${marker.getAttribute("class") || ""}`);
  return marker;
};

// Text is about this wide; it only has to keep labels apart.
const widthOf = (text, size = 12) => text.length * size * 0.6;

const axisText = (x, y, text, anchor = "middle", extra = {}) =>
  s("text", {x, y, "text-anchor": anchor, class: "tick", ...extra}, text);

const frame = (width, height, label, ...content) => s("svg",
  {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label}, ...content);

const scales = {
  linear: (min, max) => ({
    at: (value) => (value - min) / (max - min || 1),
    ticks: (count) => {
      const rough = (max - min) / count || 1;
      const power = 10 ** Math.floor(Math.log10(rough));
      const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= rough);
      const result = [];
      for (let i = Math.ceil(min / step - 1e-9); i * step <= max * (1 + 1e-9); ++i)
        result.push(i * step);
      return result;
    },
  }),
  log: (min, max, base = 10) => ({
    at: (value) => Math.log(Math.max(value, min) / min) / Math.log(max / min || 2),
    ticks: (count) => {
      const first = Math.ceil(Math.log(min) / Math.log(base) - 1e-9);
      const last = Math.floor(Math.log(max) / Math.log(base) + 1e-9);
      const result = [];
      const few = base === 10 && last - first < 2;
      const step = Math.max(1, Math.ceil((last - first) / count));
      for (let i = few ? first - 1 : first; i <= last; i += step)
        for (const m of few ? [1, 2, 5] : [1]) {
          const value = m * base ** i;
          if (value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9)) result.push(value);
        }
      return result;
    },
  }),
};
scales.log2 = (min, max) => scales.log(min, max, 2);

// Rows of samples and names above a chart; returns the elements and their height.
function legend(entries, width) {
  const elements = [];
  let x = 0;
  let y = 12;
  for (const entry of entries) {
    const name = cut(entry.name, 40);
    const size = 36 + widthOf(name);
    if (x > 0 && x + size > width) {
      x = 0;
      y += 18;
    }
    if (entry.line)
      elements.push(s("line", {
        x1: x,
        x2: x + 24,
        y1: y - 4,
        y2: y - 4,
        class: `line c${hue(entry.index)}`,
        "stroke-dasharray": dashes[look(entry.index)]
      }));
    elements.push(markerOf(entry.index, x + 12, y - 4));
    elements.push(axisText(x + 30, y, name, "start"));
    x += size;
  }
  return {elements, height: entries.length ? y + 10 : 0};
}

// Vertical lines with the rows, from the bottom, in which their names stand beside them: from the
// right to the left, so that no line crosses a name. `at` is where a line is, `begin` where its
// name begins; no name ends behind `end`.
function rowsOfNames(verticals, end) {
  const placed = [];
  for (const vertical of verticals.slice().sort((a, b) => b.at - a.at)) {
    const size = widthOf(vertical.label, 11) + 8;
    const begin = Math.min(vertical.at + 3, end - size);
    const isFree = (row) => placed.every((other) => other.row < row ?
        true :
        other.at > begin + size && (other.row !== row || other.begin > begin + size));
    let row = 0;
    while (!isFree(row)) ++row;
    placed.push({...vertical, begin, row});
  }
  return placed;
}

// Lines and markers over two axes.
//   series: name, index (of its look), points [x, y, title], line, marks (whether each point is
//   marked) verticals: x, label, index; texts: x, y, text; arrows, from the origin: x, y, text a
//   series with `ring` has a ring around each mark
function plot(
  {width, height = 330, label, x, y, series, verticals = [], texts = [], arrows = [], legends}) {
  const left = 58, right = 28, bottom = 42;
  const top = legend(legends || series, width);
  const scaleX = scales[x.scale || "linear"](x.min, x.max);
  const named =
    rowsOfNames(verticals.filter((v) => v.x >= x.min && v.x <= x.max)
                  .map((v) => ({...v, at: left + scaleX.at(v.x) * (width - left - right)})),
      width - 2);
  const nameHeight = 13;
  const namesHeight = nameHeight * named.reduce((most, v) => Math.max(most, v.row + 1), 0);
  const head = top.height + namesHeight + 8;
  height += namesHeight;
  const inner = {width: width - left - right, height: height - head - bottom};
  const scaleY = scales[y.scale || "linear"](y.min, y.max);
  const px = (value) => left + scaleX.at(value) * inner.width;
  const py = (value) => head + (1 - scaleY.at(value)) * inner.height;
  const parts = [...top.elements];
  for (const tick of scaleX.ticks(Math.max(2, Math.floor(inner.width / 75)))) {
    parts.push(
      s("line", {x1: px(tick), x2: px(tick), y1: head, y2: head + inner.height, class: "grid"}));
    parts.push(axisText(px(tick), head + inner.height + 16, x.format(tick)));
  }
  for (const tick of scaleY.ticks(6)) {
    parts.push(
      s("line", {x1: left, x2: left + inner.width, y1: py(tick), y2: py(tick), class: "grid"}));
    parts.push(axisText(left - 6, py(tick) + 4, y.format(tick), "end"));
  }
  parts.push(axisText(left + inner.width / 2, height - 6, x.label));
  parts.push(axisText(
    0, 0, y.label, "middle", {transform: `translate(13,${head + inner.height / 2}) rotate(-90)`}));
  for (const vertical of named) {
    const y = head - 4 - vertical.row * nameHeight;
    parts.push(s("line", {
      x1: vertical.at,
      x2: vertical.at,
      y1: y - 8,
      y2: head + inner.height,
      class: `vertical c${hue(vertical.index)}`,
      "stroke-dasharray": dashes[look(vertical.index)]
    },
      s("title", {}, vertical.label)));
    parts.push(axisText(vertical.begin, y, vertical.label, "start", {class: "tick halo"}));
  }
  for (const arrow of arrows) {
    const [x0, y0, x1, y1] = [px(0), py(0), px(arrow.x), py(arrow.y)];
    const turn = Math.atan2(y1 - y0, x1 - x0);
    const barb = (angle) => `${(x1 - 7 * Math.cos(turn + angle)).toFixed(1)},${
      (y1 - 7 * Math.sin(turn + angle)).toFixed(1)}`;
    parts.push(s("polyline", {
      points: `${x0.toFixed(1)},${y0.toFixed(1)} ${x1.toFixed(1)},${y1.toFixed(1)} ${barb(0.4)} ${
        x1.toFixed(1)},${y1.toFixed(1)} ${barb(-0.4)}`,
      class: "arrow"
    },
      s("title", {}, arrow.text)));
  }
  const clip = (value) => Math.min(y.max, Math.max(y.min, value));
  for (const one of series) {
    if (one.ring)
      for (const [a, b] of one.points)
        parts.push(s("circle", {cx: px(a), cy: py(clip(b)), r: 10, class: "chosen"}));
    if (one.line && one.points.length > 1)
      parts.push(s("polyline", {
        points:
          one.points.map(([a, b]) => `${px(a).toFixed(1)},${py(clip(b)).toFixed(1)}`).join(" "),
        class: `line c${hue(one.index)}`,
        "stroke-dasharray": dashes[look(one.index)],
      },
        s("title", {}, one.name)));
    if (one.marks !== false) {
      const step = Math.max(1, Math.floor(one.points.length / 6));
      one.points.forEach(([a, b, title], i) => {
        if (one.line && i % step) return;
        const marker = markerOf(one.index, px(a), py(clip(b)), one.line ? 3.5 : 5);
        marker.append(s("title", {}, title || one.name));
        parts.push(marker);
      });
    }
  }
  // A text that would cover another is left to the mark's title.
  const taken = [];
  for (const text of [...texts,
         ...arrows.map(
           (arrow) =>
             ({...arrow, dy: py(arrow.y) > py(0) ? 13 : -6, anchor: "middle", arrow: true}))]) {
    const box = {x: px(text.x), y: py(text.y) + (text.dy || 0), half: widthOf(text.text, 11) / 2};
    if (taken.some((other) => Math.abs(other.x - box.x) < other.half + box.half &&
            Math.abs(other.y - box.y) < 12))
      continue;
    taken.push(box);
    parts.push(axisText(box.x, box.y, text.text, text.anchor || "start",
      {class: text.arrow ? "arrow-name halo" :
          text.strong    ? "name halo" :
                           "tick halo"}));
  }
  return frame(width, height, label, ...parts);
}

// A row per device: its time and 80 % interval on a logarithmic axis.
//   rows: name, index, value, low, high, text, title; before and beforeTitle where it has changed;
//   without: the value without a part, which is hatched, where there is one
function intervals({width, label, axisTitle, rows}) {
  const rowHeight = 34, bottom = 40, right = 84;
  const left = Math.min(180, 14 + Math.max(...rows.map((row) => widthOf(row.name))));
  const height = rows.length * rowHeight + bottom + 6;
  const min = Math.min(
    ...rows.map((row) => Math.min(row.low, row.before || row.low, row.without || row.low)));
  const max = Math.max(...rows.map((row) => Math.max(row.high, row.before || row.high)));
  const scale = scales.log(min * 0.9, max * 1.1);
  const px = (value) => left + scale.at(value) * (width - left - right);
  const parts = [];
  for (const tick of scale.ticks(Math.max(2, Math.floor((width - left - right) / 75)))) {
    parts.push(s("line", {x1: px(tick), x2: px(tick), y1: 0, y2: height - bottom, class: "grid"}));
    parts.push(axisText(px(tick), height - bottom + 16, duration(tick)));
  }
  parts.push(axisText(left + (width - left - right) / 2, height - 6, axisTitle));
  rows.forEach((row, i) => {
    const y = i * rowHeight + rowHeight / 2;
    parts.push(axisText(left - 8, y + 4, row.name, "end", {class: "name"}));
    parts.push(s("line",
      {x1: px(row.low), x2: px(row.high), y1: y, y2: y, class: `interval c${hue(row.index)}`}));
    for (const end of [row.low, row.high])
      parts.push(s("line",
        {x1: px(end), x2: px(end), y1: y - 6, y2: y + 6, class: `line c${hue(row.index)}`}));
    if (row.without)
      parts.push(
        s("line", {x1: px(row.without), x2: px(row.value), y1: y, y2: y, class: "hatched"}));
    if (row.before)
      parts.push(s("circle", {cx: px(row.before), cy: y, r: 6, class: "before"},
        s("title", {}, row.beforeTitle)));
    const marker = markerOf(row.index, px(row.value), y, 6);
    marker.append(s("title", {}, row.title));
    parts.push(marker);
    parts.push(axisText(width - right + 8, y + 4, row.text, "start", {class: "name"}));
  });
  return frame(width, height, label, ...parts);
}

// Bars in groups: a group per row, a bar per column, lengths on one axis or, if `shares`, each of
// its column's own. titleOf("bar", { row, column, value }) is what a bar says.
function groupedBars({width, label, rows, columns, format, axisTitle, titleOf}) {
  const barHeight = 13, gap = 14, bottom = 38;
  const left =
    Math.min(0.34 * width, 14 + Math.max(...rows.map((row) => widthOf(cut(row.name, 34)))));
  const right = 66;
  const top = legend(columns.map((column) => ({name: column.name, index: column.index})), width);
  const groupHeight = columns.length * barHeight + gap;
  const height = top.height + rows.length * groupHeight + bottom;
  const max = Math.max(...rows.flatMap((row) => row.values), 1e-12);
  const scale = scales.linear(0, max);
  const px = (value) => left + scale.at(value) * (width - left - right);
  const parts = [...top.elements];
  const end = height - bottom;
  for (const tick of scale.ticks(Math.max(2, Math.floor((width - left - right) / 90)))) {
    parts.push(s("line", {x1: px(tick), x2: px(tick), y1: top.height, y2: end, class: "grid"}));
    parts.push(axisText(px(tick), end + 15, format(tick)));
  }
  parts.push(axisText(left + (width - left - right) / 2, height - 4, axisTitle));
  rows.forEach((row, i) => {
    const begin = top.height + i * groupHeight + gap / 2;
    const room = Math.floor((left - 12) / widthOf("x"));
    parts.push(axisText(left - 8, begin + columns.length * barHeight / 2 + 4, cut(row.name, room),
      "end", {class: "name"}));
    columns.forEach((column, k) => {
      const y = begin + k * barHeight;
      const value = row.values[k];
      parts.push(s("rect", {
        x: left,
        y: y + 1,
        width: Math.max(1, px(value) - left),
        height: barHeight - 2,
        class: `bar c${hue(column.index)}`
      },
        s("title", {},
          titleOf("bar", {row: row.name, column: column.name, value: format(value)}))));
      parts.push(
        markerOf(column.index, left + Math.max(1, px(value) - left) + 8, y + barHeight / 2, 3));
      parts.push(axisText(left + Math.max(1, px(value) - left) + 15, y + barHeight - 2.5,
        format(value), "start", {class: "value"}));
    });
  });
  return frame(width, height, label, ...parts);
}

// A table of bars: shares of each column's whole. titleOf("bar", { row, column, value }) is what a
// bar says.
function shareMatrix({width, label, rows, columns, titleOf}) {
  const rowHeight = 24, head = 44;
  const left = 8 + Math.max(...rows.map((row) => widthOf(row.name)), 86);
  const cell = (width - left) / columns.length;
  const room = Math.max(10, cell - 52);
  const height = head + rows.length * rowHeight + 6;
  const parts = [];
  columns.forEach((column, k) => {
    const x = left + k * cell;
    parts.push(markerOf(column.index, x + 6, 12, 4));
    parts.push(axisText(x + 15, 16, cut(column.name, Math.max(4, Math.floor(cell / 7) - 3)),
      "start", {class: "name"}));
    parts.push(axisText(x + 15, 33, column.total, "start"));
  });
  rows.forEach((row, i) => {
    const y = head + i * rowHeight;
    parts.push(s("line", {x1: 0, x2: width, y1: y, y2: y, class: "grid"}));
    parts.push(axisText(0, y + 16, row.name, "start", {class: "name"}));
    row.values.forEach((share, k) => {
      const x = left + k * cell;
      if (share <= 0) return;
      parts.push(s("rect", {
        x,
        y: y + 5,
        width: Math.max(1, share * room),
        height: rowHeight - 10,
        class: `bar c${hue(columns[k].index)}`
      },
        s("title", {},
          titleOf("bar", {row: row.name, column: columns[k].name, value: percent(share)}))));
      parts.push(axisText(
        x + Math.max(1, share * room) + 5, y + 16, percent(share), "start", {class: "value"}));
    });
  });
  return frame(width, height, label, ...parts);
}

// Values between 0 and 1 along spokes, from the top clockwise: the spokes, and a polygon per
// series. An axis may have an index, of its spoke's look.
function web({centre, radius, axes, series, markerSize}) {
  const at = (i, value) => {
    const angle = 2 * Math.PI * i / axes.length - Math.PI / 2;
    return [
      centre.x + Math.cos(angle) * radius * value, centre.y + Math.sin(angle) * radius * value
    ];
  };
  const polygon = (values) =>
    values.map((value, i) => at(i, value).map((c) => c.toFixed(1)).join(",")).join(" ");
  const parts = [];
  for (const ring of [0.25, 0.5, 0.75, 1])
    parts.push(s("polygon", {points: polygon(axes.map(() => ring)), class: "grid ring"}));
  axes.forEach((axis, i) => {
    const [x, y] = at(i, 1);
    parts.push(s("line", {
      x1: centre.x,
      y1: centre.y,
      x2: x,
      y2: y,
      class: axis.index === undefined ? "grid" : `spoke c${hue(axis.index)}`
    }));
    if (axis.index !== undefined) parts.push(markerOf(axis.index, x, y, markerSize - 0.5));
  });
  for (const one of series) {
    parts.push(s("polygon", {
      points: polygon(one.values),
      class: `line c${hue(one.index)} ${one.className || ""}`,
      "stroke-dasharray": one.className ? null : dashes[look(one.index)]
    },
      s("title", {}, one.name)));
    if (one.texts)
      one.values.forEach((value, i) => {
        const marker = markerOf(one.index, ...at(i, value), markerSize);
        marker.append(s("title", {}, `${one.name}, ${axes[i].name}: ${one.texts[i]}`));
        parts.push(marker);
      });
  }
  return {parts, at};
}
function radar({width, label, axes, series, legends}) {
  const top =
    legend(legends || series.map((one) => ({name: one.name, index: one.index, line: true})), width);
  const size = Math.min(width - 60, 430);
  const height = top.height + size + 30;
  const centre = {x: width / 2, y: top.height + size / 2 + 14};
  const {parts, at} = web({centre, radius: size / 2 - 34, axes, series, markerSize: 3.5});
  axes.forEach((axis, i) => {
    const [x, y] = at(i, 1.08);
    const side = Math.abs(x - centre.x) < 12 ? "middle" : x > centre.x ? "start" : "end";
    parts.push(axisText(x, y + 4, axis.name, side));
  });
  return frame(width, height, label, ...top.elements, ...parts);
}
