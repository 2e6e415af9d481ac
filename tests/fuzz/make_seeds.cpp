/// Writes the fuzzer's seeds into a folder: every form that it reads, for it to start from.
#include "embed/opencl_c.h"
#include "embed/plausible.h"
#include "embed/sidecar.h"
#include "profile/source_hash.h"

#include <filesystem>
#include <fstream>
#include <string>

int main(int argc, char **argv) {
  using namespace aiwc;
  if (argc != 2)
    return 2;
  const std::filesystem::path folder = argv[1];
  const auto write = [&](const std::string &name, const std::string &text) {
    std::ofstream(folder / name, std::ios::binary) << text;
  };
  const std::string source = "// k\n#if 1\n#endif\nkernel void k(global float *a) { *a = 1; }\n";
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::string name = std::to_string(seed);
    const std::vector<embed::Annotation> some = {
        embed::annotationOf(test::plausibleProfile(seed)),
        embed::annotationOf(test::smallProfile("k", profile::sourceHash(source)))};
    write("compact-" + name, some[0].text);
    write("source-" + name, embed::embed(source, some));
    write("sidecar-" + name, embed::writeSidecar(some, profile::sourceHash(source)));
  }
  write("nested", "//@aiwc begin 1\n//@aiwc begin 1\n#line 1 //@aiwc end\n#line 1 //@aiwc end\n");
}
