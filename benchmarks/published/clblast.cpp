// Launches one kernel of CLBlast, in single precision, with given tuning parameters.
//
//     aiwc-clblast KERNEL SIZES PARAMETERS
//     aiwc-clblast xgemm 'm=1024;n=1024;k=1024' 'GEMMK=0;KREG=1;KWG=32;KWI=2;MDIMA=8;...'
//
// KERNEL is xaxpy, xger, copy, pad, transpose, padtranspose, xgemm or xgemm_direct. A routine of
// the library launches it; other kernels that the routine needs are launched too. The data are not
// initialised: no access and no branch of these kernels depends on them.
#include "opencl_host/opencl.h"

#include <clblast.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

namespace aiwc::published {
namespace {

using Numbers = std::unordered_map<std::string, size_t>;

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "aiwc-clblast: %s\n", what.c_str());
  std::exit(1);
}

void check(int status, const char *what) {
  if (status != 0) {
    fail(std::string(what) + ": status " + std::to_string(status));
  }
}

// "a=1;b=2"
Numbers parse(const std::string &text) {
  Numbers numbers;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(';', at), text.size());
    const std::string word = text.substr(at, end - at);
    const size_t equals = word.find('=');
    char *rest = nullptr;
    const char *digits = equals == std::string::npos ? "" : word.c_str() + equals + 1;
    const size_t value = std::strtoull(digits, &rest, 10);
    if (*digits == 0 || *rest != 0) {
      fail("expected NAME=NUMBER: " + word);
    }
    numbers[word.substr(0, equals)] = value;
    at = end + 1;
  }
  return numbers;
}

class Session {
public:
  cl_command_queue *queue() { return &queue_; }
  /// Lives as long as this.
  cl_mem floats(size_t count) {
    return buffers_.emplace_back(device_.buffer(count * sizeof(float))).get();
  }

  void finish() const { device_.finish(); }
  void override_parameters(const char *kernel, const Numbers &parameters) const {
    check(static_cast<int>(clblast::OverrideParameters(device_.id(), kernel,
                                                       clblast::Precision::kSingle, parameters)),
          kernel);
  }

private:
  opencl::Device device_;
  cl_command_queue queue_ = device_.queue();
  std::vector<opencl::Owned<cl_mem>> buffers_;
};

// Out-of-place copy or transposition. An offset of a multiple of 256 bytes makes the library use
// the kernel that can pad.
clblast::StatusCode copy(Session &session, bool transpose, size_t offset, size_t m, size_t n) {
  cl_mem from = session.floats(m * n + offset);
  cl_mem to = session.floats(m * n);
  return clblast::Omatcopy(clblast::Layout::kColMajor,
                           transpose ? clblast::Transpose::kYes : clblast::Transpose::kNo, m, n,
                           2.0F, from, offset, m, to, 0, transpose ? n : m, session.queue());
}

// C = 2 A B + 2 C, with the layouts of the tuned kernels: the direct one takes A transposed; the
// other one needs no transposition before.
clblast::StatusCode multiply(Session &session, bool direct, size_t m, size_t n, size_t k) {
  session.override_parameters("GemmRoutine",
                              {{"XGEMM_MIN_INDIRECT_SIZE", direct ? size_t{1} << 20 : 1}});
  cl_mem a = session.floats(m * k);
  cl_mem b = session.floats(k * n);
  cl_mem c = session.floats(m * n);
  return clblast::Gemm(clblast::Layout::kColMajor,
                       direct ? clblast::Transpose::kYes : clblast::Transpose::kNo,
                       clblast::Transpose::kYes, m, n, k, 2.0F, a, 0, direct ? k : m, b, 0, n, 2.0F,
                       c, 0, m, session.queue());
}

clblast::StatusCode launch(Session &session, const std::string &kernel, Numbers sizes,
                           const Numbers &parameters) {
  const size_t m = sizes["m"];
  const size_t n = sizes["n"];
  const size_t offset = 64;
  if (kernel == "xaxpy") {
    session.override_parameters("Xaxpy", parameters);
    return clblast::Axpy(n, 2.0F, session.floats(n), 0, 1, session.floats(n), 0, 1,
                         session.queue());
  }
  if (kernel == "xger") {
    session.override_parameters("Xger", parameters);
    return clblast::Ger(clblast::Layout::kColMajor, m, n, 2.0F, session.floats(m), 0, 1,
                        session.floats(n), 0, 1, session.floats(m * n), 0, m, session.queue());
  }
  if (kernel == "copy" || kernel == "transpose") {
    session.override_parameters(kernel == "copy" ? "Copy" : "Transpose", parameters);
    return copy(session, kernel == "transpose", 0, m, n);
  }
  if (kernel == "pad" || kernel == "padtranspose") {
    session.override_parameters(kernel == "pad" ? "Pad" : "Padtranspose", parameters);
    return copy(session, kernel == "padtranspose", offset, m, n);
  }
  if (kernel == "xgemm" || kernel == "xgemm_direct") {
    session.override_parameters(kernel == "xgemm" ? "Xgemm" : "XgemmDirect", parameters);
    return multiply(session, kernel == "xgemm_direct", m, n, sizes["k"]);
  }
  fail("no such kernel: " + kernel);
}

} // namespace
} // namespace aiwc::published

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fputs("usage: aiwc-clblast KERNEL SIZES PARAMETERS\n", stderr);
    return 2;
  }
  try {
    aiwc::published::Session session;
    const auto status =
        launch(session, argv[1], aiwc::published::parse(argv[2]), aiwc::published::parse(argv[3]));
    aiwc::published::check(static_cast<int>(status), argv[1]);
    session.finish();
    return 0;
  } catch (const std::exception &error) {
    aiwc::published::fail(error.what());
  }
}
