// What costs the run time, over all kernels: where, what to do, and what that saves. Order and
// words are those of advice/ranking.h.

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

views.findings = (view, say) => {
  const rows = rankedFindings(view.kernels);
  const mostShown = 3;
  const shown = rows.filter((row) => row.finding.notable).slice(0, mostShown);
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

function rankedFindings(kernels) {
  const rows = kernels.flatMap((kernel) => kernel.findings.map((finding) => ({kernel, finding})));
  rows.sort((a, b) => a.finding.rank - b.finding.rank);
  return rows.map((row, i) => ({...row, number: i + 1}));
}

function findingsList(rows, say) {
  return h("ol", {class: "findings"}, rows.map((row) => findingItem(row, say)));
}
function findingItem({kernel, finding, number}, say) {
  const where = kernel && data.kernels.length > 1 ? say("in", {kernel: cut(kernel.name, 60)}) : "";
  const general = finding.evidence.filter(([line]) => !line).map(([, text]) => text);
  const [first, ...others] = finding.evidence.filter(([line]) => line);
  const places = () => h("details", {}, h("summary", {}, say("places", {count: others.length})),
    others.map((one) => evidenceOf(one, kernel, say)));
  return h("li", {value: number}, h("strong", {}, `${finding.title}${where}`),
    unbroken(finding.saves), h("p", {}, finding.problem),
    general.length ? h("p", {class: "evidence"}, `${general.join("; ")}.`) : null,
    first ? evidenceOf(first, kernel, say) : null, others.length ? places() : null,
    h("p", {class: "remedy"}, finding.remedy), editsOf(finding, say),
    kernel && finding.evidence.some(([line]) => line) ? sourceLink(kernel, finding, say) : null);
}

// A number stays with its unit, which is spelt as on the rest of the page.
const unbroken = (text) =>
  text.replace(/(\d) (?=%|us|ms|s)/g, "$1\u00a0").replace(/\u00a0us/g, "\u00a0µs");

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
