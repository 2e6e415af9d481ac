#include "report/views.h"

namespace aiwc::report {

const std::vector<View> &suiteViews() {
  static const std::vector<View> views = {
      {"similarity",
       "Similarity",
       "with --like: a new kernel over the kernel of the suite that is nearest",
       {{"label", "Kiviat diagram of a new kernel over that of the nearest"},
        {"caption", "{kernel} over the kernel of the suite that is nearest. {why} {where} They "
                    "differ most in {metrics}."},
        {"newValues", "It has values of {metrics} that no kernel of the suite has."},
        {"farther", "Its distance to the nearest, {distance}, is more than {limit}, which 95 % of "
                    "the suite's kernels are from their own nearest neighbour."},
        {"nearer", "Its distance to the nearest, {distance}, is not more than {limit}, which 95 % "
                   "of the suite's kernels are from their own nearest neighbour."},
        {"isOutside",
         "So it is outside of the suite: what is known of the suite says little about it."},
        {"isInside", "So it belongs to {cluster}."},
        {"columns", "new kernel||nearest|then|then|cluster"},
        {"outside", "outside"},
        {"inside", "inside"},
        {"noCluster", "none"},
        {"distances",
         "Numbers are distances in standard deviations of the suite. A new kernel is outside if it "
         "is farther from all of the suite than {limit}, or if it differs in a metric that all of "
         "the suite agree in. Its cluster is that of the nearest kernel; the suite's clusters and "
         "components do not depend on new kernels."}}},
      {"map",
       "Map",
       "the kernels by two principal components of their metrics",
       {{"label", "Kernels by two principal components of their metrics"},
        {"axis", "component {number}, {share} of the variance"},
        {"component", "{number}: {share}"},
        {"across", "Across: component"},
        {"upwards", "upwards: component"},
        {"markedBy", "marked by"},
        {"program", "program"},
        {"cluster", "cluster"},
        {"device", "best device"},
        {"arrows", "metrics as arrows"},
        {"newProgram", "{program} (new)"},
        {"outside", "outside"},
        {"noDevice", "no device"},
        {"point", "{kernel}, {cluster}"},
        {"caption", "Each mark is a kernel: marks that are close to each other are of kernels that "
                    "are similar in what the two components hold, {share} of the variance; "
                    "{count:component holds|components together hold} {all}."},
        {"arrowsSaid",
         "An arrow points to where a metric is large, and is the longer the more the two "
         "components say of it; of metrics that point the same way, one is drawn."},
        {"ring", "A ring is around the kernel that is looked at."},
        {"ringNew", "A ring is around new kernels and the kernel that is looked at."},
        {"loadings", "How much each metric counts in each component"},
        {"metric", "metric"},
        {"loadingsSaid", "Under the number of a component: its share of the variance, and that of "
                         "all up to it. The squares of a column have the sum 1."}}},
      {"clusters",
       "Clusters",
       "a tree of the kernels, cut into clusters",
       {{"count", "Number of clusters"},
        {"clusters", "{count:cluster|clusters}"},
        {"suggest", "as suggested: {count}"},
        {"label", "Dendrogram of the kernels"},
        {"axis", "distance at which clusters join"},
        {"cut", "cut"},
        {"joined", "joined at {distance}"},
        {"leaf", "{kernel}, {cluster}"},
        {"leafNew", "{kernel} ◄ new: {kernels}"},
        {"caption", "Kernels that join at the right are similar; branches of one look, at the "
                    "right of the cut, are one cluster. Ward's method joins the two clusters that "
                    "spread least around their common mean, in the standardised metrics."},
        {"qualityLabel", "Mean silhouette by number of clusters"},
        {"qualityX", "number of clusters"},
        {"qualityY", "mean silhouette"},
        {"qualityPoint", "{count} clusters: {silhouette}"},
        {"quality",
         "How well the kernels lie in their clusters, from −1 to 1, by the number of clusters "
         "(Rousseeuw's silhouette). {best} The ring is around the number that is shown."},
        {"bestIsSuggested", "{best} do best, with {silhouette}, and are suggested."},
        {"lessIsSuggested", "{best} do best, with {silhouette}; suggested is the smallest number "
                            "that is worse by at most a tenth: {suggested}, with {less}."},
        {"representatives", "A representative of each"},
        {"columns", "cluster|kernels|silhouette|representative|differs from the rest by|programs"},
        {"nothing", "nothing much"}}},
      {"kiviat",
       "Kiviat diagrams",
       "the Kiviat diagram of the kernel that is looked at",
       {{"label", "Kiviat diagram with the names of the axes"},
        {"small", "Kiviat diagram of {name}"},
        {"caption", "{kernel}, with the names of the axes: parallelism, compute, memory and "
                    "control, as in the thesis on AIWC. All diagrams have the same scale: the rim "
                    "is the most that any kernel of the page has, counts on a logarithmic scale. "
                    "The parallelism axes are large where there is little of it."},
        {"each", "One diagram for each"},
        {"byKernel", "kernel, by cluster"},
        {"byProgram", "program"},
        {"cluster", "Cluster {number}"},
        {"all", "All kernels"},
        {"new", "New kernels"},
        {"programsSaid", "The kernels of each program over each other. Choose one to see the names "
                         "of its axes above."},
        {"kernelsSaid", "Kernels of the same shape ask for the same device. Those of a cluster "
                        "stand together; choose one to see the names of its axes above."}}},
      {"devices",
       "Devices",
       "",
       {{"guesses",
         "Do clusters share their best device? If a kernel's best device is guessed to be that of "
         "most others of its cluster, {byCluster} of {of} guesses are right; if it is guessed to "
         "be that of most others of the suite, {bySuite} are: {so}."},
        {"tells", "what a kernel is like tells something about its best device"},
        {"tellsNothing",
         "of these devices, the cluster tells nothing that the suite as a whole does not"},
        {"few", "Choose two devices or more to see whether clusters share their best device."},
        {"columns", "program|best device|time"},
        {"clusters", "clusters"},
        {"ties", "{count:tie|ties}"},
        {"none", "none can run it"},
        {"outside", "outside"},
        {"said",
         "Predicted times of all launches, relative to those of the program's best device. "
         "A tie is a device that is faster than the best with a probability of 20 % or more. A "
         "kernel that "
         "is its own cluster is not guessed."}}},
      {"metrics",
       "Metrics",
       "",
       {{"compared", "Kernels are compared by {count:metric|metrics}."},
        {"constant", "{count:other metric has|other metrics have} the same value for the whole "
                     "suite and tell nothing apart."},
        {"said", "Each is brought to mean 0 and standard deviation 1 over the suite's kernels, so "
                 "all count the same; counts as the logarithm of one more, because kernels differ "
                 "in them by factors. A value that a kernel does not have counts as the mean. The "
                 "launch that executes most instructions represents its kernel."},
        {"columns", "metric|category|scale|least|most|definition"},
        {"same", "does not vary"},
        {"linear", "linear"},
        {"logarithm", "logarithm"}}},
  };
  return views;
}

const std::vector<Text> &suiteTexts() {
  static const std::vector<Text> texts = {
      {"notApart", "{kernels:kernel|kernels} of {programs:program|programs}: none of the chosen "
                   "metrics tells them apart."},
      {"noClusters", "{kernels:kernel|kernels} of {programs:program|programs} form no clear "
                     "clusters: no few of them represent the others."},
      {"fewCover",
       "{kernels:kernel|kernels} of {programs:program|programs} form {clusters:cluster|clusters}; "
       "to see a kernel of each, run {names}."},
      {"manyCover",
       "{kernels:kernel|kernels} of {programs:program|programs} form {clusters:cluster|clusters}; "
       "{count:program|programs} together have a kernel of each."},
      {"compared", "Compared by {count:metric|metrics} that depend on no device. The mean "
                   "silhouette is {silhouette}: {so}."},
      {"wellApart", "the clusters are well apart"},
      {"apart", "the clusters are apart, but some kernels lie between them"},
      {"unclear", "that is less than 0.25, so the cut is one of many that would do"},
      {"oneOutside", "{name} is outside of the suite: it is like none of its kernels, and "
                     "{distance} standard deviations from the nearest."},
      {"oneInside", "{name} is most similar to {nearest}, {distance} standard deviations from it."},
      {"allInside", "Each of the {count} kernels of {name} is similar to some of the suite."},
      {"allOutside",
       "{name} is outside of the suite: none of its {count} kernels is similar to any there."},
      {"someOutside", "Of the {count} kernels of {name}, {outside:is|are} outside of the suite: "
                      "nothing there is similar."},
      {"newPrograms", "{count:new program|new programs}"},
      {"doubts", "{count:caveat|caveats}"},
      {"leftOut", "Left out: {reason}."},
      {"sampled", "Estimated from samples of the work-groups: {kernels}."},
      {"cluster", "cluster {number}"},
      {"high", "high {metric}"},
      {"low", "low {metric}"},
      {"shown", "What the page shows"},
      {"metrics", "Metrics"},
      {"compareBy", "compare by"},
      {"kernel", "Kernel"},
      {"lookAt", "look at"},
      {"newKernel", "{kernel} (new)"},
      {"thesisMetrics", "the {count} metrics of AIWC"},
      {"fewMetrics", "{count}, about one for each aspect"},
  };
  return texts;
}

} // namespace aiwc::report
