// What the page says first: how many clusters there are, and which of them new programs are like.

// A marker within text.
const sample = (index) => s("svg", {
  width: 14,
  height: 14,
  viewBox: "0 0 14 14",
  class: "sample",
  "aria-hidden": "true",
},
  markerOf(index, 7, 7, 4));
const clusterName = (index) => sayPage("cluster", {number: index + 1});
const deviations = (value) => digits(value, 2);
// The metrics in which a cluster differs most from the suite.
function apartText(cluster, count = 3) {
  return cluster.differences.slice(0, count)
    .filter((one) => Math.abs(one.mean) >= 0.3)
    .map(({mean, key}) => sayPage(mean > 0 ? "high" : "low", {metric: metricName(key)}))
    .join(", ");
}

function suiteVerdict(view) {
  const {clusters, cover, silhouette} = view;
  const texts = {
    kernels: suite.length,
    programs: suitePrograms.length,
    clusters: clusters.length,
    count: cover.length,
    names: listed(cover.map((program) => cut(program.name, 30))),
  };
  // Below a mean silhouette of 0.25, there is no substantial structure (Kaufman and Rousseeuw).
  const so = silhouette >= 0.5 ? "wellApart" : silhouette >= 0.25 ? "apart" : "unclear";
  const covered = so === "unclear" ? "noClusters" : cover.length <= 8 ? "fewCover" : "manyCover";
  const sentence = sayPage(clusters.length ? covered : "notApart", texts);
  const compared = () => sayPage("compared", {
    count: view.analysis.usedKeys.length,
    silhouette: digits(silhouette, 2),
    so: sayPage(so),
  });
  const sure = clusters.length ? [compared()] : [];
  if (fresh.length) sure.push(similarSentence(view));
  return {sentence, sure};
}

// A sentence for each new program, or one for all where they are many.
function similarSentence(view) {
  const owners = [...new Set(view.placed.map((one) => one.kernel.owner))];
  if (owners.length > 4)
    return placedSentence(sayPage("newPrograms", {count: owners.length}), view.placed);
  const ofOwner = (owner) => view.placed.filter((one) => one.kernel.owner === owner);
  return owners.map((owner) => placedSentence(cut(owner.name, 40), ofOwner(owner))).join(" ");
}
function placedSentence(name, kernels) {
  const outside = kernels.filter((one) => one.outside).length;
  const count = kernels.length;
  const {other, distance} = kernels[0].near[0];
  const texts = {
    name,
    outside,
    count,
    nearest: cut(other.label, 60),
    distance: deviations(distance),
  };
  if (count === 1) return sayPage(outside ? "oneOutside" : "oneInside", texts);
  if (!outside) return sayPage("allInside", texts);
  return sayPage(outside === count ? "allOutside" : "someOutside", texts);
}

function suiteDoubts() {
  const sampled =
    data.kernels.filter((kernel) => kernel.sampled > 0).map((kernel) => cut(kernel.label, 60));
  return [
    ...data.leftOut.map((reason) => sayPage("leftOut", {reason})),
    ...(sampled.length ? [sayPage("sampled", {kernels: listed(sampled)})] : []),
  ];
}
