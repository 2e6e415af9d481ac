// What costs the kernel time, where, what to do, and what that gains at most.

views.findings = (view, say) => {
  const {focus} = view;
  const inWords = () => h("details", {open: true}, h("summary", {}, say("inWords")),
    h("dl", {},
      focus.description.map(([subject, text]) => [h("dt", {}, subject), h("dd", {}, text)])));
  return {
    above: [
      h("h3", {}, cut(focus.name, 80)),
      h("p", {class: "quiet"}, focus.title),
      findingsList(focus.findings, say),
      data.application.length ?
        [h("h3", {}, say(data.whole ? "whole" : "together")), findingsList(data.application, say)] :
        null,
      h("p", {class: "quiet"}, say("bounds", {devices: listed(data.chosen)})),
      focus.description.length ? inWords() : null,
    ],
  };
};

const leastGain = 1.05;
function findingsList(findings, say) {
  if (!findings.length) return h("p", {}, say("none"));
  return h("ol", {class: "findings"},
    findings.map((finding) => h("li", {}, h("strong", {}, finding.title), gainsText(finding, say),
                   h("p", {}, finding.problem),
                   finding.evidence.length ? h("ul", {}, finding.evidence.map(([line,
                     text]) => h("li", {}, line ? say("line", {line, text}) : text))) :
                                             null,
                   h("p", {class: "remedy"}, finding.remedy))));
}
function gainsText(finding, say) {
  const gains =
    finding.gains.filter(([, factor]) => factor >= leastGain).sort((a, b) => b[1] - a[1]).map(([
      device, factor
    ]) => say("gain", {device, factor: times(factor)}));
  return gains.length ? say("gains", {gains: gains.join(", ")}) : "";
}
