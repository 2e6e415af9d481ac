#include "report/views.h"

namespace aiwc::report {

const std::vector<View> &runViews() {
  static const std::vector<View> views = {
      {"ranking",
       "Ranking",
       "the predicted time of each device, with its interval",
       {{"label", "Predicted time by device, with intervals"},
        {"axis", "predicted time, logarithmic"},
        {"tied", "{time} tie"},
        {"title", "{device}: {time}, {low} to {high}"},
        {"before", "unchanged device: {time}"},
        {"caption", "The mark is the predicted time of {what}, the bar the interval that holds "
                    "four of five times of programs that the model was not fitted to. Devices "
                    "whose bars overlap that of the first are a tie."},
        {"changed", "A ring is the device as it is, the mark the changed one."},
        {"none", "No device to rank."},
        {"columns", "device|time|80 % interval|of the best|most of it|energy|"},
        {"interval", "{low} to {high}"},
        {"mostOf", "{part} ({share})"},
        {"tie", "tie"},
        {"notMeasured", "not measured"}}},
      {"kernels",
       "Time by kernel",
       "the predicted time of each kernel on each device",
       {{"label", "Predicted time by kernel and device"},
        {"axis", "predicted time of all launches"},
        {"bar", "{row} on {column}: {value}"},
        {"caption", "How the time divides among the kernels, all launches of a kernel together: "
                    "{kernel} takes {share} of the time on {device}."},
        {"longest", "The chart has the {count} longest of {all}; the table has all."},
        {"columns", "kernel|launches"},
        {"share", "share"}}},
      {"why",
       "Why",
       "which part of its time each device spends on what",
       {{"label", "Parts of the predicted time by device"},
        {"bar", "{row} on {column}: {value}"},
        {"caption", "Which part of its time each device spends on what: on {device}, most of it is "
                    "{part}. A device with more of what the longest bar needs is faster; parts "
                    "below half a percent are left out."}}},
      {"findings",
       "Findings",
       "",
       {{"none", "Nothing found that would gain 5 % or more."},
        {"line", "line {line}: {text}"},
        {"gain", "{factor} on {device}"},
        {"gains", ": at most {gains}"},
        {"whole", "The whole run"},
        {"bounds", "Factors are bounds by the model, for the devices that the report was written "
                   "for ({devices}), unchanged: they tell what to try first."},
        {"inWords", "In words"}}},
      {"source",
       "Source lines",
       "",
       {{"label", "source lines"},
        {"shade", "Shade by"},
        {"ofCache", "of a cache of"},
        {"inGroups", "in groups of"},
        {"lanes", "{width} lanes"},
        {"instructionsName", "instructions"},
        {"instructionsWhat", "the instructions"},
        {"missesName", "cache misses"},
        {"missesWhat", "the cache misses"},
        {"idleName", "idle lanes"},
        {"idleWhat", "the lanes that wait"},
        {"branchesName", "mispredicted branches"},
        {"branchesWhat", "the branches that history does not foretell"},
        {"columns", "line|share||finding"},
        {"source", "source"},
        {"noLine", "(without a line)"},
        {"lineNumber", "line {number}"},
        {"caption", "Where {what} of {kernel} are: {where} Numbers under “finding” are those of "
                    "the list above."},
        {"hottest", "line {line} has {share} of them."},
        {"nowhere", "there are none."},
        {"noSource", "The source was not given; --source adds its text."},
        {"leftOut",
         "{count:line with few instructions is|lines with few instructions are} left out."},
        {"none", "The profile has no lines: the program was built without them."}}},
      {"split",
       "Split",
       "the longest launch of a kernel, divided among the devices",
       {{"label", "A launch divided among the devices"},
        {"axis", "time since the common start"},
        {"share", "{groups:work-group|work-groups}, {share}"},
        {"title", "{device}: {text}, ends after {time}"},
        {"nothing", "nothing"},
        {"done", "all done: {time}"},
        {"alone", "{device} by itself: {time}"},
        {"caption", "The longest launch of {kernel} ({groups:work-group|work-groups}), divided "
                    "along {direction} so that the last device ends as early as possible: {factor} "
                    "faster than {alone} by itself, as aiwc split says. Devices work at the same "
                    "time, each with its own link."},
        {"whole", "The longest launch of {kernel} ({groups:work-group|work-groups}) is done first "
                  "if {device} does all of it: dividing it would gain nothing."},
        {"one", "Choose two devices or more to divide a launch among them."}}},
      {"roofline",
       "Roofline",
       "what the devices can reach with the kernels, and what they are predicted to reach",
       {{"label", "Roofline: operations per second over operations per byte"},
        {"x", "floating-point operations per byte of DRAM"},
        {"xInstructions", "instructions per byte of DRAM"},
        {"y", "10⁹ per second"},
        {"roof", "{device}: at most {peak} × 10⁹ per second, {slope} GB/s"},
        {"point", "{number} {kernel} on {device}: {rate} × 10⁹ per second, {intensity} per byte"},
        {"caption", "A line is what a device can reach, a mark what it is predicted to reach with "
                    "a kernel ({kernels}). Below the slope memory limits, below the flat part the "
                    "cores do; a mark far below its line waits for something else."},
        {"reached", "On {device} the kernels reach {shares} of it."},
        {"range", "{low} to {high}"},
        {"none", "The chosen kernels compute nothing, or no device has a known peak."}}},
      {"caches",
       "Caches",
       "how many accesses miss a cache, over its size",
       {{"label", "Miss ratio over the size of a cache"},
        {"x", "size of the cache"},
        {"y", "accesses of lines that miss"},
        {"cache", "{device} {level}"},
        {"point", "{kernel}: {share} misses with {bytes}"},
        {"caption",
         "How many accesses of cache lines miss a cache of each size (fully associative, least "
         "recently used leaves), all launches together. Vertical lines are the caches of the "
         "devices. {kernel} needs {bytes}; a larger cache serves nothing more."},
        {"none", "The chosen kernels access no global memory."}}},
      {"parallelism",
       "Parallelism",
       "how many floating-point operations can run at once",
       {{"label", "Widths of the levels of the schedule"},
        {"x", "floating-point operations that can run at once (width of a level)"},
        {"y", "operations in levels as wide"},
        {"cores", "{device} cores"},
        {"point", "{kernel}: {share} of the operations are in levels of {width} or more"},
        {"caption",
         "The share of the floating-point operations that at least so many others can accompany, "
         "if nothing but data holds them up. Vertical lines are the cores of the devices: left of "
         "the fall, they are busy. The widest level of {kernel} has {count} operations."},
        {"none", "The chosen kernels have no floating-point operations, so there is no schedule of "
                 "them."}}},
      {"radar",
       "Profile",
       "what the kernels are like, by thirteen metrics",
       {{"label", "Radar of AIWC metrics"},
        {"caption", "What the kernels are like, independently of any device: {count} metrics of "
                    "AIWC. Shares go from 0 in the middle to 1; of others, the rim is the largest "
                    "value of any kernel of this run, counts on a logarithmic scale. Kernels of "
                    "the same shape ask for the same device."}}},
      {"similarity",
       "Similarity",
       "the kernels by the two directions in which their metrics differ most",
       {{"label", "Kernels by the first two principal components of their metrics"},
        {"x", "first component, {share}: {metrics}"},
        {"y", "second, {share}: {metrics}"},
        {"other", "{kernel} ({run})"},
        {"caption", "Kernels that are close to each other are similar in the metrics of the "
                    "section before, whatever the device. The axes are the two directions in which "
                    "these kernels differ most, and the metrics that count most in them."},
        {"mostSimilar", "{kernel} is most similar to {other}."},
        {"columns", "kernel|most similar|then|then"},
        {"distances",
         "Numbers are distances in standard deviations. With --compare and the profiles of a "
         "suite, the page tells to which of its kernels a new one is similar."}}},
      {"compare",
       "Comparison",
       "with --compare: the time of each kernel before and after",
       {{"label", "Time before and after by kernel"},
        {"axis", "predicted time on {device}"},
        {"bar", "{row} on {column}: {value}"},
        {"old", "{run} (before)"},
        {"new", "{run} (now)"},
        {"faster", "{factor} faster"},
        {"slower", "{factor} slower"},
        {"caption",
         "The kernels that both runs have, on {device}: {before} before, {after} now, {change}."},
        {"none", "{run} has none of these kernels."},
        {"kernel", "kernel"},
        {"times", "{before} → {after}"},
        {"sum", "all of these"},
        {"onlyIn", "Only in {run}: {kernels}."},
        {"changed", "What changed most in {kernel}"},
        {"columns", "metric|before|now|change"},
        {"noMetric", "No metric of its longest launch."}}},
      {"metrics",
       "All metrics",
       "",
       {{"search", "Search"},
        {"examples", "entropy, bytes, fp_ops …"},
        {"found", "{found} of {all} metrics"},
        {"metric", "metric"},
        {"unit", "unit"},
        {"definition", "definition"},
        {"said", "Of the launch of each kernel that executes most instructions. These numbers "
                 "depend on no device."}}},
  };
  return views;
}

const std::vector<Text> &runTexts() {
  static const std::vector<Text> texts = {
      {"noDevice", "None of the chosen devices has all the parameters that the model needs."},
      {"theRun", "the run"},
      {"allKernels", "all kernels"},
      {"someKernels", "{count:kernel|kernels}"},
      {"oneDevice", "{device} takes about {time} for {what}."},
      {"allTie",
       "{count} of {count} devices lie within the model's error: measure before you buy."},
      {"someTie", "{devices} lie within the model's error of each other: measure these before you "
                  "buy. Of {count} devices, {slower:is|are} slower than that."},
      {"fastest", "{device} is the fastest of {count} devices, by more than the model's error: "
                  "{time} for {what}, {factor} faster than {second}."},
      {"sureOfKnown",
       "Of four in five programs that the model was not fitted to, the time lies in its interval; "
       "for {device}, which it was fitted to, that is {low} to {high}."},
      {"sureOfUnknown",
       "Of four in five programs that the model was not fitted to, the time lies in its interval; "
       "for {device}, which it has never been fitted to, that is {low} to {high}."},
      {"doubts", "{count:reason|reasons} to doubt"},
      {"starting", "Starting the kernels takes more than half of the time on {devices}: the "
                   "problem is too small to rank these devices."},
      {"moving",
       "All transfers between host and device would take longer than the kernels on {devices}."},
      {"unseen", "{kernel} is unlike all kernels that the model was fitted to: {features}."},
      {"simulatorErrors", "The simulator reported {count:error|errors} in {kernel}: mend the "
                          "kernel before you trust its numbers."},
      {"sampled",
       "{count:launch|launches} of {kernel}: estimates, from a sample of the work-groups."},
      {"launchesLeftOut", "{count} of {all} launches of {kernel} are left out: {reason}."},
      {"pooled", "The launches of {kernel} differ so much that they are taken as "
                 "{count:kind|kinds} of launches; aiwc predict takes each by itself."},
      {"leftOut", "Left out: {reason}."},
      {"lacks", "{device} is left out, because its profile lacks {keys}."},
      {"full", "The data does not fit into the memory of {devices}."},
      {"transfers", "transfers"},
      {"shown", "What the page shows"},
      {"kernels", "Kernels"},
      {"someOfKernels", "{count} of {all} kernels"},
      {"lookAt", "look at"},
      {"whatIf", "What if the devices were different?"},
      {"exposed", "share of the transfers that nothing hides"},
      {"same", "The same numbers:"},
      {"asTheyAre", "as they are"},
      {"sliders", "Each slider multiplies a parameter of all devices."},
  };
  return texts;
}

} // namespace aiwc::report
