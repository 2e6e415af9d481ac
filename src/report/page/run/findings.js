// What costs the run time, over all kernels: where, what to do, and what that saves at most.

// Which count of a line tells most of the places of a rule.
const measureOfRule = {
  "uncoalesced-access": "bytes",
  "untiled-reads": "bytes",
  "memory-sums": "bytes",
  "narrow-accesses": "bytes",
  "private-arrays": "bytes",
  "bank-conflicts": "bytes",
  "contended-atomics": "bytes",
  "cache-too-small": "misses",
  "power-of-two-strides": "bytes",
  "occupancy": "bytes",
  "idle-lanes": "idle",
  "unpredictable-branches": "branches",
  "accidental-double": "doubles",
  "double-precision": "operations",
  "repeated-work": "repeated",
  "integer-division": "divisions",
  "wide-indices": "wideIndices",
};
const leastShare = 0.01;  // of the run; what is below is folded away

views.findings = (view, say) => {
  const rows = rankedFindings(view.kernels);
  const mostShown = 3;
  const isNotable = (row) => (row.savings.length ? row.share : row.ofKernel) >= leastShare;
  const shown = rows.filter(isNotable).slice(0, mostShown);
  const others = rows.filter((row) => !shown.includes(row));
  const application = data.application.map((finding) => ({finding, kernel: null}));
  const rest = () => h("details", {id: "more-findings"},
    h("summary", {}, say("more", {count: others.length})), findingsList(others, say));
  return {
    above: [
      shown.length ? findingsList(shown, say) : h("p", {}, say("none")),
      others.length ? rest() : null,
      application.length ?
        [h("h3", {}, say(data.whole ? "whole" : "together")), findingsList(application, say)] :
        null,
      rows.length ? h("p", {class: "quiet"}, say("bounds", {devices: listed(data.chosen)})) : null,
    ],
  };
};

// Seconds that the whole run takes on each of the devices that the findings are for, unchanged.
const runSeconds = new Map();
function secondsOfRun(id) {
  const device = data.devices.find((one) => one.id === id);
  if (!runSeconds.has(id)) runSeconds.set(id, costOf(data.kernels, device, 0).micros / 1e6);
  return runSeconds.get(id);
}

// The findings of kernels with their numbers and the share of the run that they save at most, on
// the device where that is most, and that of their kernel's time. Those whose cost the model does
// not cover come last, in the order of the time of their kernels.
const findingRanks = new Map();
function rankedFindings(kernels) {
  const name = kernels.map((kernel) => data.kernels.indexOf(kernel)).sort().join();
  if (!findingRanks.has(name)) findingRanks.set(name, rankOf(kernels));
  return findingRanks.get(name);
}
function rankOf(kernels) {
  const rows = kernels.flatMap((kernel) => kernel.findings.map((finding) => {
    const savings =
      finding.gains
        .map(([device, , seconds, likely]) => {
          const all = secondsOfRun(device);
          const shareOf = (part) => all > 0 ? Math.min(1, part / all) : 0;
          return {
            device,
            seconds,
            all,
            share: shareOf(seconds),
            likely: likely === null ? null : shareOf(likely),
          };
        })
        .map((one) => ({...one, expected: one.likely === null ? one.share : one.likely}))
        .sort((a, b) => b.share - a.share);
    const chosen = data.devices.filter((device) => data.chosen.includes(device.id));
    const shares =
      chosen.map((device) => costOf([kernel], device, 0).micros / 1e6 / secondsOfRun(device.id));
    const ofKernel = Math.max(0, ...shares.filter(Number.isFinite));
    return {kernel, finding, savings, ofKernel, share: savings.length ? savings[0].share : 0};
  }));
  const weight = (row) => Math.max(-1, ...row.savings.map((one) => one.expected));
  rows.sort((a, b) => weight(b) - weight(a));
  return rows.map((row, i) => ({...row, number: i + 1}));
}

function findingsList(rows, say) {
  return h("ol", {class: "findings"}, rows.map((row) => findingItem(row, say)));
}
function findingItem({kernel, finding, number, savings}, say) {
  const where = kernel && data.kernels.length > 1 ? say("in", {kernel: cut(kernel.name, 60)}) : "";
  const general = finding.evidence.filter(([line]) => !line).map(([, text]) => text);
  const [first, ...others] = finding.evidence.filter(([line]) => line);
  const places = () => h("details", {}, h("summary", {}, say("places", {count: others.length})),
    others.map((one) => evidenceOf(one, kernel, say)));
  return h("li", {value: number}, h("strong", {}, `${finding.title}${where}`),
    savings ? savedText(savings, say) : gainsText(finding, say), h("p", {}, finding.problem),
    general.length ? h("p", {class: "evidence"}, `${general.join("; ")}.`) : null,
    first ? evidenceOf(first, kernel, say) : null, others.length ? places() : null,
    h("p", {class: "remedy"}, finding.remedy), editsOf(finding, say),
    kernel && finding.evidence.some(([line]) => line) ? sourceLink(kernel, finding, say) : null);
}

function savedText(savings, say) {
  const parts =
    savings.filter((one) => one.share >= leastShare)
      .map(({device, share, seconds, all, likely}, i) => say(i ? "saves" : "savesMost", {
        device,
        likely: likelyText(likely, share, say),
        share: percent(share),
        saved: duration(1e6 * seconds),
        all: duration(1e6 * all),
      }));
  return parts.length ? say("saved", {parts: parts.join(", ")}) : "";
}
// What is likely where it is known: in brackets, once if it is as much as the bound.
function likelyText(likely, share, say) {
  if (likely === null) return "";
  return percent(likely) === percent(share) ? say("asLikely") :
                                              say("likely", {share: percent(likely)});
}
const leastGain = 1.05;
function gainsText(finding, say) {
  const gains =
    finding.gains.filter(([, factor]) => factor >= leastGain).sort((a, b) => b[1] - a[1]).map(([
      device, factor
    ]) => say("gain", {device, factor: times(factor)}));
  return gains.length ? say("gains", {gains: gains.join(", ")}) : "";
}

// The text of a line of a kernel's source; empty if it is not known.
function sourceLineOf(kernel, number) {
  const block =
    kernel.source.find(([first, ...lines]) => number >= first && number < first + lines.length);
  return block ? block[1 + number - block[0]].trim() : "";
}
function evidenceOf([line, text], kernel, say) {
  const code = kernel ? sourceLineOf(kernel, line) : "";
  return h("p", {class: "evidence"}, say("line", {line, text}),
    code ? h("code", {class: "code-line"}, code) : null);
}
function editsOf(finding, say) {
  return finding.edits.length ?
    h("p", {class: "evidence"}, say("becomes"), finding.edits.map(([line,
      after]) => h("code", {class: "code-line"}, `${line}: ${after.trim()}`))) :
    null;
}
// To the source, shaded by what the finding is about; a link that can be copied.
function sourceLink(kernel, finding, say) {
  const changes = {
    focus: data.kernels.indexOf(kernel),
    heat: measureOfRule[finding.rule] || "instructions",
  };
  const follow = (event) => {
    event.preventDefault();
    set(changes);
    document.getElementById("source").scrollIntoView();
  };
  return h("p", {},
    h("a", {href: `#${fragmentOf({...choice, ...changes})}`, onclick: follow}, say("show")));
}
