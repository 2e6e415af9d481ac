// Which part of its time each device spends on what.

views.why = (view, say) => {
  const leastShown = 0.01;
  const {entries} = view;
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const shares = (key) => entries.map((entry) => partTime(entry, key) / entry.micros);
  const rows = [...parts.map((part) => part.key), transfersKey]
                 .map((key) => ({name: partName(key), values: shares(key)}))
                 .filter((row) => Math.max(0, ...row.values) >= leastShown)
                 .sort((a, b) => sum(b.values) - sum(a.values));
  if (!rows.length) return null;
  const blockOf = (width, begin, end) => shareMatrix({
    width,
    label: say("label"),
    titleOf: say,
    rows: rows.map((row) => ({...row, values: row.values.slice(begin, end)})),
    columns: entries.slice(begin, end).map(({device, micros}) => ({
      name: device.id,
      index: view.lookOf(device),
      total: duration(micros),
    })),
  });
  const [best] = entries;
  return {
    caption: say("caption", {device: best.device.id, part: partName(best.boundBy)}),
    picture: (width) => {
      const perRow = Math.max(1, Math.floor((width - 130) / 105));
      const blocks = [];
      for (let i = 0; i < entries.length; i += perRow) blocks.push(blockOf(width, i, i + perRow));
      return h("div", {}, blocks);
    },
  };
};
