// Gantt charts: what each of several workers does at which time.

// Bars that share a pixel of a row are drawn as one, in the look of the longest.
function joinedBars(bars, px) {
  const joined = [];
  for (let i = 0; i < bars.length;) {
    const begin = px(bars[i].begin);
    let end = px(bars[i].end);
    let longest = bars[i];
    let next = i + 1;
    for (; next < bars.length && px(bars[next].end) < begin + 1; ++next) {
      end = px(bars[next].end);
      if (bars[next].end - bars[next].begin > longest.end - longest.begin) longest = bars[next];
    }
    const more = next - i - 1;
    joined.push({
      bar: longest,
      x: begin,
      width: Math.max(0.5, end - begin),
      title: more ? `${longest.title} and ${more} more` : longest.title,
    });
    i = next;
  }
  return joined;
}

// Panels of rows of bars over the same axis of microseconds.
//   panels: title, rows; rows: name, thin (half as high), empty (text where there are no bars),
//     bars by begin, without overlaps; bars: begin, end, index (of the look), title, text (inside
//     of the bar if it fits), beside (whether the text stands beside the bar otherwise)
//   lines: x, text: limits over all rows, named above; legends: name, index
function gantt({width, label, panels, axisTitle, legends = [], lines = []}) {
  const rows = panels.flatMap((panel) => panel.rows);
  const longest = Math.max(...rows.map((row) => widthOf(cut(row.name, 28))), 20);
  const left = Math.min(180, 14 + longest);
  const right = 24;
  const heightOf = (row) => row.thin ? 15 : panels.length > 1 ? 25 : 30;
  const ends = rows.flatMap((row) => row.bars.map((bar) => bar.end));
  const max = ends.concat(lines.map((line) => line.x)).reduce((a, b) => Math.max(a, b), 0);
  const scale = scales.linear(0, max * 1.04 || 1);
  const px = (value) => left + scale.at(value) * (width - left - right);
  const top = legend(legends, width);
  const parts = [...top.elements];
  let y = top.height;
  for (const panel of panels) {
    if (panel.title) {
      y += 22;
      parts.push(axisText(0, y, panel.title, "start", {class: "name strong"}));
    }
    const head = y + 8 + 14 * lines.length;  // a row for the text of each line
    const end = head + panel.rows.reduce((sum, row) => sum + heightOf(row), 0);
    for (const tick of scale.ticks(Math.max(2, Math.floor((width - left - right) / 80)))) {
      parts.push(s("line", {x1: px(tick), x2: px(tick), y1: head, y2: end, class: "grid"}));
      parts.push(axisText(px(tick), end + 16, duration(tick)));
    }
    let at = head;
    for (const row of panel.rows) {
      parts.push(...ganttRow(row, at, heightOf(row), left, width, px));
      at += heightOf(row);
    }
    lines.forEach((line, i) => {
      const x = px(line.x);
      const half = widthOf(line.text) / 2;
      parts.push(s("line", {x1: x, x2: x, y1: y + 16 + 14 * i, y2: end, class: "limit"}));
      const middle = Math.max(half, Math.min(width - half, x));
      parts.push(axisText(middle, y + 12 + 14 * i, line.text, "middle", {class: "tick halo"}));
    });
    y = end + 20;
  }
  parts.push(axisText(left + (width - left - right) / 2, y + 14, axisTitle));
  return frame(width, y + 20, label, ...parts);
}

function ganttRow(row, y, height, left, width, px) {
  const gap = row.thin ? 2 : height > 25 ? 5 : 2;
  const middle = y + height / 2 + 4;
  const name = cut(row.name, 28);
  const parts = [axisText(left - 8, middle, name, "end", {class: row.thin ? "tick" : "name"})];
  if (!row.bars.length && row.empty)
    parts.push(axisText(left + 8, middle, row.empty, "start", {class: "value"}));
  for (const {bar, x, width: length, title} of joinedBars(row.bars, px)) {
    const box = {x, y: y + gap, width: length, height: height - 2 * gap};
    parts.push(s("rect", {...box, class: `bar c${hue(bar.index)}`}, s("title", {}, title)));
    if (!bar.text) continue;
    if (length > widthOf(bar.text) + (bar.beside ? 16 : 6)) {
      const [at, anchor] = bar.beside ? [x + 8, "start"] : [x + length / 2, "middle"];
      parts.push(axisText(at, middle, bar.text, anchor, {class: "inside"}));
    } else if (bar.beside) {
      parts.push(axisText(x + length + 6, middle, bar.text, "start", {class: "value halo"}));
    }
  }
  return parts;
}
