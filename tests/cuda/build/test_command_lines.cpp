// The command lines of nvcc, hipcc and clang++ mean what their manuals say.
#include "cuda_build/clang_dialect.h"
#include "cuda_build/compiler_command.h"
#include "support/files.h"

#include <catch2/catch.hpp>

using namespace aiwc::cuda_build;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

using Words = std::vector<std::string>;

CompilerCommand nvcc(const Words &words) {
  return readCommandLine("nvcc", words);
}

std::string refusal(const Words &words) {
  return errorOf([&] { nvcc(words); });
}

Words pathsOf(const CompilerCommand &command) {
  Words paths;
  for (const Input &input : command.inputs)
    paths.push_back(input.path);
  return paths;
}

} // namespace

TEST_CASE("a command that compiles and links") {
  const CompilerCommand command =
      nvcc({"-O3", "-arch=sm_80", "-std=c++14", "-Iinclude", "-I", "more", "-DN=4", "-D", "M=a,b",
            "app.cu", "main.cpp", "util.o", "-Llib", "-lm", "-lcudart", "-o", "app"});
  CHECK(command.product == Product::kProgram);
  CHECK(command.output == "app");
  CHECK(pathsOf(command) == Words{"app.cu", "main.cpp", "util.o"});
  CHECK(command.inputs[0].language == Language::kCuda);
  CHECK(command.inputs[1].language == Language::kCxx);
  CHECK(command.inputs[2].language == Language::kLinked);
  CHECK(command.preprocessor == Words{"-std=c++14", "-Iinclude", "-Imore", "-DN=4", "-DM=a,b"});
  CHECK(command.host == Words{"-O3"});
  CHECK(command.linker == Words{"util.o", "-Llib", "-lm"}); // the simulator's library is CUDA's
  CHECK(command.ignored == Words{});
  CHECK(command.computeCapability == 80);
  CHECK_FALSE(command.relocatable);
  CHECK_FALSE(command.isHip);
}

TEST_CASE("values follow an option, an equals sign, or the option itself") {
  for (const Words &words : {Words{"-c", "-o", "a.o", "a.cu"}, Words{"-c", "-oa.o", "a.cu"},
                             Words{"--compile", "--output-file=a.o", "a.cu"},
                             Words{"-c", "--output-file", "a.o", "a.cu"}}) {
    const CompilerCommand command = nvcc(words);
    CHECK(command.product == Product::kObjects);
    CHECK(command.output == "a.o");
  }
  CHECK(nvcc({"-c", "--output-directory", "objects", "a.cu"}).outputFolder == "objects");
  CHECK(nvcc({"--include-path", "a,b", "a.cu"}).preprocessor == Words{"-Ia", "-Ib"});
  CHECK(nvcc({"-gencode", "arch=compute_70,code=sm_70", "a.cu"}).computeCapability == 70);
  CHECK(nvcc({"--generate-code=arch=compute_52,code=[compute_52,sm_52]", "a.cu"}).inputs.size() ==
        1);
}

TEST_CASE("options for the host's compiler and the linker are handed on") {
  const CompilerCommand command =
      nvcc({"-Xcompiler", "-Wall,-fopenmp", "-Xcompiler=-fPIC", "--compiler-options", "-O2 -g",
            "-Xlinker", "-rpath,lib", "-Wl,-z,now", "a.cu"});
  CHECK(command.host == Words{"-Wall", "-fopenmp", "-fPIC", "-O2", "-g"});
  CHECK(command.linker == Words{"-Xlinker", "-rpath", "-Xlinker", "lib", "-Wl,-z,now"});
}

TEST_CASE(
    "quotes in options for the host's compiler and the linker are read as a shell reads them") {
  // As CMake's FindCUDA writes them.
  CHECK(nvcc({"-Xcompiler", ",\"-O3\",\"-g\"", "a.cu"}).host == Words{"-O3", "-g"});
  CHECK(nvcc({"-Xcompiler", R"(-DA="b c,d",'-DE="f"',-DG=\"h\")", "a.cu"}).host ==
        Words{"-DA=b c,d", "-DE=\"f\"", "-DG=\"h\""});
  CHECK(nvcc({"-Xlinker", "\"-rpath\",'a b'", "a.cu"}).linker ==
        Words{"-Xlinker", "-rpath", "-Xlinker", "a b"});
}

TEST_CASE("relocatable device code") {
  CHECK(nvcc({"-dc", "a.cu"}).relocatable);
  CHECK(nvcc({"-dc", "a.cu"}).product == Product::kObjects);
  CHECK(nvcc({"-rdc=true", "-c", "a.cu"}).relocatable);
  CHECK(nvcc({"--relocatable-device-code", "true", "-c", "a.cu"}).relocatable);
  CHECK_FALSE(nvcc({"-rdc=false", "-c", "a.cu"}).relocatable);
  CHECK(nvcc({"-dlink", "a.o", "-o", "b.o"}).product == Product::kDeviceObject);
  CHECK(readCommandLine("hipcc", {"-fgpu-rdc", "-c", "a.cpp"}).relocatable);
}

TEST_CASE("languages are chosen by name and by -x") {
  CHECK(nvcc({"-x", "cu", "a.cpp"}).inputs[0].language == Language::kCuda);
  CHECK(nvcc({"a.c"}).inputs[0].language == Language::kC);
  CHECK(readCommandLine("hipcc", {"a.cpp"}).inputs[0].language == Language::kCuda);
  CHECK(readCommandLine("/opt/rocm/bin/hipcc", {"a.cpp"}).isHip);
  CHECK(isCompiler("/usr/local/cuda/bin/nvcc", {}));
  CHECK(isCompiler("clang++-14", {"-x", "cuda", "a.cpp"}));
  CHECK(isCompiler("clang++", {"a.cu"}));
  CHECK_FALSE(isCompiler("clang++", {"a.cpp"}));
  CHECK_FALSE(isCompiler("make", {"a.cu"}));
}

TEST_CASE("the architecture is the highest of those that are named") {
  const auto of = [](std::vector<std::string> words) {
    words.push_back("a.cu");
    return readCommandLine("nvcc", words).computeCapability;
  };
  CHECK(of({}) == 0);
  CHECK(of({"-arch=sm_80"}) == 80);
  CHECK(of({"--gpu-architecture", "compute_75"}) == 75);
  CHECK(of({"-gencode", "arch=compute_86,code=sm_86",
            "-gencode=arch=compute_70,code=[sm_70,compute_70]"}) == 86);
  CHECK(of({"-arch=sm_90a"}) == 90);
  CHECK(of({"-arch=native"}) == 0);
}

TEST_CASE("what the simulator cannot do is refused by name") {
  CHECK_THAT(refusal({"-ptx", "a.cu"}), Contains("-ptx"));
  CHECK_THAT(refusal({"-lcusolver", "a.cu"}), Contains("-lcusolver"));
  CHECK_THAT(refusal({"-l", "cusolver", "a.cu"}), Contains("-lcusolver"));
  CHECK_THAT(refusal({"-o"}), Contains("-o has no value"));
  CHECK_THAT(refusal({}), Contains("no source"));
  CHECK_THAT(refusal({"-c", "-o", "x.o", "a.cu", "b.cu"}), Contains("-o x.o with 2 sources"));
  CHECK_THAT(refusal({"-fatbin", "-o", "x", "a.cu", "b.cu"}), Contains("-o x with 2 sources"));
  CHECK_THAT(refusal({"-x", "fortran", "a.f"}), Contains("-x fortran"));
  CHECK_THAT(refusal({"-optf", "none.rsp"}), Contains("none.rsp"));
}

TEST_CASE("errors of what the simulator has not are told from others") {
  CHECK(absentFeatureIn("a.cu:1:10: fatal error: 'thrust/set_operations.h' file not found\n") ==
        "such part of thrust");
  CHECK(
      absentFeatureIn("a.cu:2:5: error: no member named 'DevicePartition' in namespace 'cub'\n") ==
      "such part of cub");
  CHECK(absentFeatureIn("a.cu:2:5: error: no member named 'merge' in namespace 'thrust'; did you "
                        "mean 'std::merge'?\n") == "such part of thrust");
  CHECK(absentFeatureIn("a.cu:2:5: error: use of undeclared identifier 'tex2D'\n") == "textures");
  for (const char *word :
       {"cudaReadModeElementType", "cudaResourceDesc", "cudaTextureDesc", "cudaTextureType2D",
        "cudaFilterModeLinear", "cudaAddressModeClamp", "cudaChannelFormatDesc",
        "cudaBindTexture2D", "cudaUnbindTexture", "cudaCreateTextureObject", "cudaFreeArray",
        "cudaMalloc3DArray", "cudaMallocMipmappedArray", "cudaMemcpyToArray", "cudaMemcpy2DToArray",
        "hipTextureDesc", "hipResourceDesc"})
    CHECK(absentFeatureIn(std::string("a.cu:2:5: error: use of undeclared identifier '") + word +
                          "'\n") == "textures");
  CHECK(absentFeatureIn("a.cu:1:10: fatal error: 'texture_types.h' file not found\n") ==
        "textures");
  CHECK(absentFeatureIn("a.cu:2:5: error: use of undeclared identifier 'surf1Dread'\n") ==
        "surfaces");
  CHECK_THAT(absentFeatureIn("a.cu:2:5: error: reference to __global__ function 'child' in "
                             "__global__ function\n"),
             Contains("dynamic parallelism"));
  CHECK(absentFeatureIn("a.cu:1:10: fatal error: 'mine.h' file not found\n").empty());
  // GCC's messages.
  CHECK(absentFeatureIn("a.cpp:1:10: fatal error: cublas_xt.h: No such file or directory\n") ==
        "cuBLAS");
  CHECK(absentFeatureIn("a.cpp:2:5: error: \u2018CUlinkState\u2019 has not been declared\n") ==
        "linking of PTX at run time");
  CHECK(absentFeatureIn("a.cpp:2:5: error: \u2018tex\u2019 was not declared\n").empty());
  CHECK(absentFeatureIn("a.cu:1:10: note: 'thrust/sort.h'\n").empty());
  CHECK(absentFeatureIn("").empty());
}

TEST_CASE("brackets of launches are joined, and no others") {
  CHECK(withLaunchBrackets("k<< <1, 2>> >(x);") == "k<<< 1, 2>>> (x);");
  CHECK(withLaunchBrackets("k<float> << \t<f(a>> >b), g[1]>>\t> (x);") ==
        "k<float> <<<\t f(a>> >b), g[1]>>>\t (x);");
  for (const char *kept :
       {"std::cout << \"<< <\" << a;", "// k<< <1, 1>> >()\n", "/* k<< <1, 1>> >() */",
        "R\"x(\" k<< <1, 1>> >())x\"", "k<<<1, 2>>>(x);", "A<B<C<int>> > a;", "x >> y > z;",
        "'\"'; k<<<1'000, 2>>>(\"\\\"<< <\");", "a << b < c;", "", "<<", "<< ",
        "friend S &operator<< <T>(S &, const A<B<C>> &);", "operator<< <A<B<C>> >(s, x);",
        "f<< <1; x>> >(y);", "u8R\"(a\"b<< <)>> >()\"", "(f<< <1)>> >(y);"})
    CHECK(withLaunchBrackets(kept) == kept);
  CHECK(withLaunchBrackets("k<< <1, 2>> >(x); A<B<C>> > a;") == "k<<< 1, 2>>> (x); A<B<C>> > a;");
  CHECK(withLaunchBrackets("k<<<1, 2>> >(x);") == "k<<<1, 2>>> (x);");
  CHECK(withLaunchBrackets("k<< <1, 2>>>(x);") == "k<<< 1, 2>>>(x);");
  CHECK(withLaunchBrackets("L'\"'; k<< <1, 2>> >(x);") == "L'\"'; k<<< 1, 2>>> (x);");
}

TEST_CASE("an alignment behind __shared__ is one that clang takes there") {
  CHECK(withSharedAlignment("__shared__ alignas(16) int a;") == "__shared__ __align__(16) int a;");
  CHECK(withSharedAlignment("extern __shared__\n\talignas(f(8)) char a[];") ==
        "extern __shared__\n\t__align__(f(8)) char a[];");
  for (const char *kept :
       {"alignas(16) __shared__ int a;", "my__shared__ alignas(16)", "", "__shared__ alignas_t a;",
        "__shared__", "__shared__ alignas", "\"__shared__ alignas(16)\" // __shared__ alignas(16)"})
    CHECK(withSharedAlignment(kept) == kept);
}

TEST_CASE("constraints of PTX's registers become clang's, and no other text") {
  CHECK(withRegisterConstraints("asm(\"x\" : \"=l\"(a), \"+f\" (b), \"=&d\"(c) : \"l\"(d));") ==
        "asm(\"x\" : \"=r\"(a), \"+r\" (b), \"=&r\"(c) : \"l\"(d));");
  for (const char *kept : {"f(\"=f\")", "// \"=f\"(x)\n", "\"=fl\"(x)", "\"=\"(x)",
                           "'\"'; \"f\"(x)", "R\"(\"=f\"(x))\"", "\"=f", "\"=r\"(x)", ""})
    CHECK(withRegisterConstraints(kept) == kept);
}

TEST_CASE("a file of options is read, and one that names itself is refused") {
  const TemporaryFolder folder;
  const std::string file = folder / "options";
  write(file, "-c -DNAME='a b'\n-Iinclude a.cu");
  const CompilerCommand command = nvcc({"--options-file", file});
  CHECK(command.preprocessor == Words{"-DNAME=a b", "-Iinclude"});
  CHECK(pathsOf(command) == Words{"a.cu"});
  write(file, "-optf " + file);
  CHECK_THAT(refusal({"-optf", file}), Contains("names itself"));
}
