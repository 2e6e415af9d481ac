/// The same question as choose.c in C++: which of the known devices is best for this kernel.
///
///   choose PROFILE.json
#include <aiwc/common/error.h>
#include <aiwc/predict/device_library.h>
#include <aiwc/predict/fitted/fitted_cost_model.h>
#include <aiwc/predict/prediction.h>
#include <aiwc/profile/json.h>

#include <cstdio>

int main(int argc, char **argv) {
  using namespace aiwc;
  if (argc != 2)
    return 2;
  try {
    const predict::DeviceLibrary library(predict::deviceFolders());
    const profile::KernelProfile kernel = profile::readProfile(argv[1]);
    const predict::CostModel &model = predict::publishedModel();
    const predict::CostedLaunch launch(kernel, model);

    const predict::DeviceProfile *best = nullptr;
    predict::Entry least;
    for (const predict::DeviceProfile &device : library.devices()) {
      if (!launch.missing(device).empty())
        continue;
      const predict::Entry entry = predict::predictOne(launch, device);
      if (!best || entry.seconds < least.seconds) {
        best = &device;
        least = entry;
      }
    }
    if (!best)
      throw Error("no device has all parameters that the prediction needs");
    std::printf("%s is best on %s: %.1f us (%.1f to %.1f), most of it %s\n",
                kernel.provenance.kernel.c_str(), best->id.c_str(), least.seconds * 1e6,
                least.interval->low * 1e6, least.interval->high * 1e6,
                predict::partName(model.parts(), least.boundBy()).data());
  } catch (const Error &error) {
    std::fprintf(stderr, "choose: %s\n", error.what());
    return 2;
  }
}
