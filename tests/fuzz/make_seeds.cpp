/// Writes the fuzzers' seeds into a folder, one in it for each: every form that they read, for them
/// to start from.
#include "embed/opencl_c.h"
#include "embed/sidecar.h"
#include "embed/spirv.h"
#include "predict/device_json.h"
#include "predict/fitted/fitted_model.h"
#include "profile/json.h"
#include "profile/source_hash.h"
#include "support/plausible.h"
#include "train/made_up.h"

#include <filesystem>
#include <fstream>
#include <string>

int main(int argc, char **argv) {
  using namespace aiwc;
  if (argc != 2)
    return 2;
  const std::filesystem::path folder = argv[1];
  const auto write = [&](const std::string &name, const std::string &text) {
    const std::filesystem::path file = folder / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  };
  // Header, OpCapability, OpMemoryModel, OpEntryPoint k, OpModuleProcessed of others, OpTypeVoid.
  const uint32_t words[] = {0x07230203, 0x00010100, 0, 3, 0,   0x00020011, 6,   0x0003000e, 2,
                            2,          0x0004000f, 6, 1, 'k', 0x0002014a, 'o', 0x00020013, 2};
  const std::string spirv(reinterpret_cast<const char *>(words), sizeof words);
  const std::string source = "// k\n#if 1\n#endif\nkernel void k(global float *a) { *a = 1; }\n";
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::string name = std::to_string(seed);
    const std::vector<embed::Annotation> some = {
        embed::annotationOf(test::plausibleProfile(seed)),
        embed::annotationOf(test::smallProfile("k", profile::sourceHash(source)))};
    write("annotations/compact-" + name, some[0].text);
    write("annotations/source-" + name, embed::embed(source, some));
    write("launches/" + name,
          some[0].text + "|" + embed::annotationOf(test::plausibleProfile(seed + 20)).text);
    write("launches/small-" + name,
          some[1].text + "|" + embed::annotationOf(test::smallProfile("k", "h", 128 + seed)).text);
    test::Random random(seed);
    profile::KernelProfile whole = test::plausibleProfile(seed + 40);
    whole.histograms.asapFpLevels = test::randomLevels(random, 5, 10);
    whole.histograms.lines = {{.line = 3, .fpOps = seed, .reuseDistances = {{0, 2}, {64, 1}}}};
    whole.histograms.instructionsPerThread = {{10, 2}, {11, seed + 1}};
    write("profiles/" + name, profile::toJson(whole));
    write("spirv/" + name, embed::embedIntoSpirv(spirv, some));
    write("annotations/sidecar-" + name, embed::writeSidecar(some, profile::sourceHash(source)));
  }
  write("annotations/nested",
        "//@aiwc begin 1\n//@aiwc begin 1\n#line 1 //@aiwc end\n#line 1 //@aiwc end\n");
  predict::FittedModel model = test::madeUpModel();
  write("models/classes", predict::toJson(model));
  model.devices = {{"gpu", "first", model.classes[0].values, 17},
                   {"gpu", "second", model.classes[1].values, 1}};
  model.applications = {"first/a", "second/b"};
  write("models/devices", predict::toJson(model));
  const std::string header = "data_set,suite,application,size,kernel,profiles,host_bytes,"
                             "host_transfers,doubt,device,time_us\n";
  write("times/plain",
        header + "d,s,a,tiny,k,a.json,0,0,,cpu,1.5\nd,s,a,tiny,k,a.json,0,0,,gpu,2\n");
  write("times/quoted",
        header + "d,s,a,\"ti\"\"ny\",k,2*a.json a.json,9,1,\"odd, very\",gpu,1e3\r\n");
  predict::DeviceProfile device = test::madeUpCpu();
  device.id = "fuzz";
  write("devices/data_sheet", predict::toJson(device));
  device.set(predict::Parameter::kDramBandwidth, 12.5, "measured", 0.02);
  const predict::Curve curve = {{4096, 30, 0.01}, {8192, 20, 0}, {65536, 2.5, 0.5}};
  const predict::TransferCurve transfer{curve, {{0, 2, 1}, {10000, 6, 5}}, 0.1};
  device.measurements = {"aiwc 1", "a CPU", "2", {}, curve, curve, {}, transfer, transfer, {"all"}};
  for (const predict::FigureInfo &figure : predict::figures())
    device.measurements->figures.push_back({figure.key, 1.5, 0.01});
  for (size_t i = 0; i < predict::kIdiomCount; ++i)
    device.measurements->idioms.push_back({static_cast<predict::Idiom>(i), curve, 0.25});
  write("devices/measured", predict::toJson(device));
  const std::string market = "%%MatrixMarket matrix coordinate ";
  write("matrices/general", market + "real general\n% c\n\n3 4 4\n1 1 1.5\n 3\t4 -2e-3\n2 2 .25\n"
                                     "3 4 12345678901234567890\n");
  write("matrices/symmetric",
        market + "integer symmetric\r\n3 3 3\r\n1 1 5\r\n3 1 +6\r\n3 2 -7\r\n");
  write("matrices/skew", market + "real skew-symmetric\n3 3 2\n2 1 6\n3 2 1e38\n");
  write("matrices/complex", market + "complex hermitian\n2 2 2\n1 1 5 0\n2 1 1 -1\n");
  write("matrices/pattern",
        market + "pattern general\n%aiwc-sample: method=stride-average\n2 2 2\n1 2\n2 1");
  write("matrices/edges", "# a list\n0 1\n2 0 0.5\n%\n1 1 -3\n0 1\n");
  // Stored in the form of gzip. Its checksum is wrong.
  const std::string stored = "0 1\n";
  write("matrices/gzip", std::string("\x1F\x8B\x08\0\0\0\0\0\0\x03\x01\x04\0\xFB\xFF", 15) +
                             stored + std::string("\0\0\0\0\x04\0\0\0", 8));
}
