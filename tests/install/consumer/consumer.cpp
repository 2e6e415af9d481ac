// What a project outside does with the libraries: reads a profile and uses a number of it.
#include <aiwc/common/error.h>
#include <aiwc/metrics/shared/analysis.h>
#include <aiwc/profile/json.h>

#include <iostream>

using namespace aiwc::literals;

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  try {
    const auto profile = aiwc::profile::readProfile(argv[1]);
    std::cout << profile.provenance.kernel << ": "
              << profile.count("total_instruction_count"_metric) << " instructions\n";
  } catch (const aiwc::Error &error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
