// A program in C++ with the C API: prints the kernel of a profile.
#include <aiwc.h>

#include <iostream>
#include <memory>

int main(int argc, char **argv) {
  aiwc_profile *profile = nullptr;
  if (argc != 2 || aiwc_profile_read(argv[1], &profile) != AIWC_OK) {
    std::cerr << aiwc_error_message() << '\n';
    return 2;
  }
  const std::unique_ptr<aiwc_profile, decltype(&aiwc_profile_free)> owner(profile,
                                                                          aiwc_profile_free);
  std::cout << aiwc_profile_kernel(profile) << '\n';
}
