#include "report/views.h"

namespace aiwc::report {

const std::vector<View> &runViews() {
  static const std::vector<View> views = {
      {"findings",
       "What to change first",
       "",
       {{"none", "No change was found that would save 5 % or more of a kernel's time."},
        {"line", "line {line}: {text}"},
        {"in", " in {kernel}"},
        {"places", "{count:further place|further places}"},
        {"becomes", "These lines become:"},
        {"show", "Show it in the source"},
        {"more", "{count:further finding|further findings}"},
        {"whole", "The whole run"},
        {"together", "These launches together"},
        {"bounds", "By the model's 80 % intervals, of the predicted time of all kernels, for the "
                   "devices that the report was written for ({devices}), unchanged; savings do not "
                   "add up."}}},
      {"ranking",
       "Ranking",
       "the predicted time of each device, with its interval",
       {{"label", "Predicted time by device, with intervals"},
        {"axis", "predicted time, logarithmic"},
        {"tied", "{time} tie"},
        {"title", "{device}: {time}, {low} to {high}"},
        {"before", "unchanged device: {time}"},
        {"caption", "The mark is the predicted time of {what}. For four out of five programs "
                    "that the model was not fitted to, the measured time falls inside the bar. A "
                    "device that is faster "
                    "than the first with a probability of 20 % or more is a tie."},
        {"changed", "A ring is the device as it is, the mark the changed one."},
        {"measured", "measured: {time}"},
        {"ring", "A ring is the time that was measured, of all kernels from their starts to their "
                 "ends."},
        {"follows",
         "From {number} times measured on {device}: it takes what was measured, and other "
         "devices as follows from how far off those were."},
        {"measuredColumn", "measured"},
        {"transfers", "with transfers between host and device"},
        {"unknownTransfers", "(this run does not know them)"},
        {"hatched", "The hatched part is transfers."},
        {"none", "No device to rank."},
        {"columns", "device|time|80 % interval|of the best|most of it|probability|"},
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
        {"longest", "The chart has the {count} longest of {all}."},
        {"short", "{count:kernel with less than 1 % of the time on each device is|kernels with "
                  "less than 1 % of the time on each device are} left out."},
        {"columns", "kernel|launches"},
        {"share", "share"}}},
      {"why",
       "Why",
       "which part of its time each device spends on what",
       {{"label", "Parts of the predicted time by device"},
        {"bar", "{row} on {column}: {value}"},
        {"caption", "Which part of its time each device spends on what: on {device}, most of it is "
                    "{part}. A device with more of what the longest bar needs is faster; parts "
                    "below 1 % everywhere are left out."}}},
      {"source",
       "Source lines",
       "",
       {{"label", "source lines"},
        {"shade", "Shade by"},
        {"ofCache", "of a cache of"},
        {"inGroups", "at a width of"},
        {"lanes", "{width} lanes"},
        {"instructionsName", "instructions"},
        {"instructionsWhat", "the instructions"},
        {"missesName", "cache misses"},
        {"missesWhat", "the cache misses"},
        {"idleName", "idle lanes"},
        {"idleWhat", "the lanes that wait"},
        {"branchesName", "mispredicted branches"},
        {"branchesWhat", "the branches that history does not foretell"},
        {"operationsName", "floating-point operations"},
        {"operationsWhat", "the floating-point operations"},
        {"bytesName", "bytes read and written"},
        {"bytesWhat", "the bytes that are read and written"},
        {"doublesName", "accidental 64-bit operations"},
        {"doublesWhat", "the accidental 64-bit operations and conversions"},
        {"repeatedName", "work repeated by work-items"},
        {"repeatedWhat", "the operations that every work-item repeats"},
        {"divisionsName", "divisions by constants"},
        {"divisionsWhat", "the integer divisions by constants of the launch"},
        {"wideIndicesName", "indices of 64 bits"},
        {"wideIndicesWhat", "the products and divisions of 64-bit indices"},
        {"inWords", "In words"},
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
        {"one", "Choose two devices or more to divide a launch among them."},
        {"asTheyAre", "Of the devices as they are, without the change."},
        {"unknown", "This page knows how a launch is divided among {devices}, for which it was "
                    "written, and not with other devices:"}}},
      {"roofline",
       "Roofline",
       "what the devices can reach with the kernels, and what they are predicted to reach",
       {{"label", "Roofline: floating-point operations per second over those per byte"},
        {"x", "floating-point operations per byte from memory (past the device's caches)"},
        {"y", "GFLOP/s"},
        {"roof", "{device}: at most {peak} GFLOP/s, {slope} GB/s"},
        {"matrices", "{device}, {type} matrices"},
        {"point", "{number} {kernel} on {device}: {rate} GFLOP/s, {intensity} per byte"},
        {"kernel", "{number} {kernel} ({intensity})"},
        {"caption", "A line is what a device can reach, a mark what it is predicted to reach with "
                    "a kernel: {kernels}. In brackets are the operations per byte that "
                    "instructions access; caches serve some of these bytes, so that a mark lies "
                    "farther right. Below the slope memory limits, below the flat part the cores "
                    "do; a mark far below its line waits for something else."},
        {"without", "Without floating-point operations, and not here: {kernels}."},
        {"reached", "On {device} the kernels reach {shares} of it."},
        {"range", "{low} to {high}"},
        {"none",
         "The chosen kernels have no floating-point operations, or no device has a known peak."}}},
      {"caches",
       "Caches",
       "how many accesses miss a cache, over its size",
       {{"label", "Miss ratio over the size of a cache"},
        {"x", "size of the cache"},
        {"y", "share of the accesses that miss"},
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
       {{"label", "Operations that can run at once"},
        {"x", "floating-point operations that can run at once"},
        {"y", "share of the operations"},
        {"cores", "{device} cores"},
        {"point", "{kernel}: {share} of the operations can run beside {width} or more"},
        {"caption",
         "The share of the floating-point operations that at least so many others can accompany, "
         "if nothing but data holds them up. Vertical lines are the cores of the devices: left of "
         "the fall, they are busy. In {kernel}, at most {count} operations can run at once."},
        {"none", "The chosen kernels have no floating-point operations."}}},
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
      {"oneDevice", "{device} takes about {time} ({low} to {high}) for {what}."},
      {"bestGuess",
       "Best guess of {count} devices: {device}, {time} ({low} to {high}) for {what}."},
      {"becauseStarting", "Starting the kernels dominates: try a larger input."},
      {"becauseOutside", "Uncertain, because {kernel} is outside the "
                         "training range of the model: measure."},
      {"becauseClose", "{other} is faster with a probability of {probability}: measure both."},
      {"fastest", "{device} is the fastest of {count} devices, by more than the model's error: "
                  "{time} ({low} to {high}) for {what}, {factor} faster than {second}."},
      {"otherType", "The application asked the device for {questions} and saw {type}: on {devices} "
                    "it may launch other kernels and sizes; give the run of aiwc run --as {first} "
                    "as well."},
      {"type_cpu", "a CPU"},
      {"type_gpu", "a GPU"},
      {"type_accelerator", "an accelerator"},
      {"doubts", "{count:caveat|caveats}"},
      {"starting", "Starting the kernels takes more than half of the time on {devices}: the "
                   "problem is too small to rank these devices."},
      {"moving",
       "All transfers between host and device would take longer than the kernels on {devices}."},
      {"outsideTrainingRange", "{kernel} is outside the training range of the model: {features}."},
      {"simulatorErrors", "The simulator reported {count:error|errors} in {kernel}: mend the "
                          "kernel before you trust its numbers."},
      {"sampled",
       "{count:launch|launches} of {kernel}: estimates, from a sample of the work-groups."},
      {"launchesLeftOut", "{count} of {all} launches of {kernel} are left out: {reason}."},
      {"leftOut", "Left out: {reason}."},
      {"lacks", "{device} is left out, because its file lacks {keys}."},
      {"full", "The data does not fit into the memory of {devices}."},
      {"unknownWhatIf", "What-ifs are not known of {devices}: name all devices when you write the "
                        "report."},
      {"transfers", "transfers"},
      {"shown", "What the page shows"},
      {"kernels", "Kernels"},
      {"someOfKernels", "{count} of {all} kernels"},
      {"lookAt", "look at"},
      {"whatIf", "What if the devices were different?"},
      {"sameNumbers", "The same numbers:"},
      {"same", "the same"},
      {"asTheyAre", "as they are"},
      {"change", "change"},
      {"faster", "{factor} faster"},
      {"slower", "{factor} slower"},
      {"unknown", "not known"},
      {"changes",
       "Each row changes a parameter of all devices; choose one to see it in all sections. "
       "aiwc report --what-if adds rows."},
  };
  return texts;
}

} // namespace aiwc::report
