#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/hmm/hmm_reference.h"
#include "hmm_cl.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::eod {
namespace {

/// Indices are 32 bits wide; a rounded-up global size has to be one, too.
constexpr uint64_t kMostNumbers = UINT32_MAX - 65536;
/// Numbers on the host, which keeps the model of every iteration.
constexpr uint64_t kMostKept = 1 << 30;
/// Keeps the time of a run and the number of its launches within reason.
constexpr uint32_t kLongest = 1'000'000;

class Hmm : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    parameters.add("-n,--states", shape_.states, "hidden states of the model").excludesSize();
    parameters.add("-s,--symbols", shape_.symbols, "symbols that it can emit").excludesSize();
    parameters.add("--length", shape_.length, "observations").showDefault();
    parameters.add("--iterations", iterations_, "re-estimations of the model").showDefault();
  }

  void selectSize(Size size) override {
    constexpr std::array<std::array<uint32_t, 2>, 4> kShapes{
        {{8, 1}, {900, 1}, {1012, 1024}, {2048, 2048}}};
    const auto &[states, symbols] = kShapes[static_cast<size_t>(size)];
    shape_.states = states;
    shape_.symbols = symbols;
  }

  void checkParameters() const override {
    if (shape_.states < 1 || shape_.symbols < 1 || iterations_ < 1)
      throw UsageError("--states, --symbols and --iterations: expected 1 or more");
    if (shape_.length < 2 || shape_.length > kLongest)
      throw UsageError(fmt::format("--length {}: expected 2 to {}", shape_.length, kLongest));
    const uint64_t rows = std::max({shape_.states, shape_.symbols, shape_.length});
    if (shape_.states * rows > kMostNumbers)
      throw UsageError(fmt::format("--states {}: expected at most {} with tables of {} rows",
                                   shape_.states, kMostNumbers / rows, rows));
    const uint64_t perIteration =
        uint64_t{shape_.states} * (uint64_t{shape_.states} + shape_.symbols + 1) + shape_.length;
    if (iterations_ > kMostKept / perIteration)
      throw UsageError(fmt::format("--iterations {}: expected at most {} for models of this size",
                                   iterations_, kMostKept / perIteration));
  }

  std::string parameter() const override {
    return fmt::format("{},{}", shape_.states, shape_.symbols);
  }

  std::string settings() const override {
    return fmt::format("{} observations (--length), {} iterations (--iterations)", shape_.length,
                       iterations_);
  }

  std::vector<Allocation> allocations(size_t) const override {
    const uint64_t row = uint64_t{shape_.states} * sizeof(float);
    return {{"a", shape_.states * row},
            {"b", shape_.symbols * row},
            {"pi", row},
            {"alpha", shape_.length * row},
            {"beta", shape_.length * row},
            {"weighted", row},
            {"sums", row},
            {"ones", ones() * sizeof(float)},
            {"scale", (shape_.length + uint64_t{1}) * sizeof(float)},
            {"observations", shape_.length * sizeof(cl_uint), CL_MEM_READ_ONLY}};
  }

  WorkGroup workGroup(size_t localSize) const override {
    return {localSize, kParts * sizeof(float)};
  }

  std::string buildOptions(size_t) const override { return fmt::format("-DPARTS={}", kParts); }

  void setUp(Session &, uint64_t seed) override {
    observations_ = hmm::observations(shape_, seed);
    guess_ = hmm::firstGuess(shape_, seed);
    done_.clear();
  }

  void run(Session &session) override {
    session.write("a", guess_.transitions);
    session.write("b", guess_.emissions);
    session.write("pi", guess_.start);
    session.write("observations", observations_);
    session.launch("init_ones_dev", over(session, ones()), session.buffer("ones"),
                   static_cast<cl_uint>(ones()));
    done_.assign(iterations_, {guess_, std::vector<float>(shape_.length)});
    for (auto &[model, scale] : done_) {
      forward(session);
      backward(session);
      estimateTransitions(session);
      estimateEmissions(session);
      estimateStart(session);
      session.read("scale", scale);
      session.read("a", model.transitions);
      session.read("b", model.emissions);
      session.read("pi", model.start);
    }
  }

  Verdict verify(Session &) override {
    return hmm::checkTraining(shape_, guess_, observations_, done_);
  }

  std::string result() const override {
    std::string bytes;
    for (const auto &[model, scale] : done_) {
      bytes += bytesOf(model.transitions);
      bytes += bytesOf(model.emissions);
      bytes += bytesOf(model.start);
      bytes += bytesOf(scale);
    }
    return bytes;
  }

private:
  /// The partial sums of a dot product.
  static constexpr size_t kParts = 64;

  uint64_t ones() const { return std::max({shape_.states, shape_.symbols, shape_.length}); }

  static NdRange over(const Session &session, uint64_t count) {
    return {{roundUp(count, session.localSize())}, {session.localSize()}};
  }

  NdRange overStates(const Session &session) const { return over(session, shape_.states); }

  NdRange overStatesTimes(const Session &session, size_t rows) const {
    return {{roundUp(shape_.states, session.localSize()), rows}, {session.localSize(), 1}};
  }

  void forward(Session &session) const {
    const cl_uint n = shape_.states;
    const NdRange states = overStates(session);
    const NdRange oneGroup = over(session, 1);
    const cl_mem a = session.buffer("a"), b = session.buffer("b"), alpha = session.buffer("alpha");
    const cl_mem scale = session.buffer("scale"), ones = session.buffer("ones");
    const cl_mem observations = session.buffer("observations");
    for (cl_uint t = 0; t < shape_.length; ++t) {
      if (t == 0) {
        session.launch("init_alpha_dev", states, session.buffer("pi"), b, observations, alpha, n);
      } else {
        session.launch("mvm_trans_kernel_naive", states, a, alpha, (t - 1) * n, alpha, t * n, n, n);
        session.launch("calc_alpha_dev", states, b, observations, alpha, t, n);
      }
      session.launch("s_dot_kernel_naive", oneGroup, alpha, t * n, ones, n, scale, t);
      session.launch("scale_alpha_dev", states, alpha, scale, t, n);
    }
  }

  void backward(Session &session) const {
    const cl_uint n = shape_.states;
    const NdRange states = overStates(session);
    const NdRange groupPerState = over(session, n * session.localSize());
    const cl_mem beta = session.buffer("beta"), weighted = session.buffer("weighted");
    session.launch("init_beta_dev", states, beta, cl_uint{shape_.length - 1}, n);
    for (cl_uint t = shape_.length - 1; t > 0; --t) {
      session.launch("calc_beta_dev", states, session.buffer("b"), session.buffer("observations"),
                     session.buffer("scale"), beta, weighted, t, n);
      session.launch("mvm_non_kernel_naive", groupPerState, session.buffer("a"), weighted, beta,
                     (t - 1) * n, n);
    }
  }

  void estimateTransitions(Session &session) const {
    const cl_uint n = shape_.states;
    const cl_uint count = shape_.length * n;
    const NdRange square = overStatesTimes(session, n);
    const NdRange groupPerState = over(session, n * session.localSize());
    const cl_mem a = session.buffer("a"), alpha = session.buffer("alpha");
    const cl_mem beta = session.buffer("beta"), sums = session.buffer("sums");
    const cl_mem ones = session.buffer("ones");
    session.launch("calc_xi_dev", square, a, session.buffer("b"), session.buffer("observations"),
                   session.buffer("scale"), alpha, beta, n, cl_uint{shape_.length});
    session.launch("calc_gamma_dev", over(session, count), alpha, beta, count);
    // A state is left at every step but the last.
    session.launch("mvm_trans_kernel_naive", overStates(session), beta, ones, cl_uint{0}, sums,
                   cl_uint{0}, cl_uint{shape_.length - 1}, n);
    session.launch("est_a_dev", square, a, sums, n);
    session.launch("mvm_non_kernel_naive", groupPerState, a, ones, sums, cl_uint{0}, n);
    session.launch("scale_a_dev", square, a, sums, n);
  }

  /// Expects gamma in place of beta.
  void estimateEmissions(Session &session) const {
    const cl_uint n = shape_.states;
    const NdRange states = overStates(session);
    const NdRange table = overStatesTimes(session, shape_.symbols);
    const cl_mem b = session.buffer("b"), gamma = session.buffer("beta");
    const cl_mem sums = session.buffer("sums"), ones = session.buffer("ones");
    session.launch("acc_b_dev", table, b, gamma, session.buffer("observations"), n,
                   cl_uint{shape_.length});
    session.launch("mvm_trans_kernel_naive", states, gamma, ones, cl_uint{0}, sums, cl_uint{0},
                   cl_uint{shape_.length}, n);
    session.launch("est_b_dev", table, b, sums, n, cl_uint{shape_.symbols});
    session.launch("mvm_trans_kernel_naive", states, b, ones, cl_uint{0}, sums, cl_uint{0},
                   cl_uint{shape_.symbols}, n);
    session.launch("scale_b_dev", table, b, sums, n);
  }

  void estimateStart(Session &session) const {
    const cl_uint n = shape_.states;
    const cl_uint slot = shape_.length; // behind the scale factors
    const cl_mem gamma = session.buffer("beta"), scale = session.buffer("scale");
    session.launch("s_dot_kernel_naive", over(session, 1), gamma, cl_uint{0},
                   session.buffer("ones"), n, scale, slot);
    session.launch("est_pi_dev", overStates(session), session.buffer("pi"), gamma, scale, slot, n);
  }

  const Description description_{
      .name = "hmm",
      .dwarf = "graphical models",
      .summary = "Baum-Welch training of a hidden Markov model",
      .source = kSource,
      .kernels = {"acc_b_dev", "calc_alpha_dev", "calc_beta_dev", "calc_gamma_dev", "calc_xi_dev",
                  "est_a_dev", "est_b_dev", "est_pi_dev", "init_alpha_dev", "init_beta_dev",
                  "init_ones_dev", "mvm_non_kernel_naive", "mvm_trans_kernel_naive", "scale_a_dev",
                  "scale_alpha_dev", "scale_b_dev", "s_dot_kernel_naive"},
      .localSizeMeaning = "work-items of a work-group",
      .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
      .defaultLocalSize = 64};
  hmm::Shape shape_;
  uint32_t iterations_ = 2;
  hmm::Observations observations_;
  hmm::Model guess_;
  std::vector<hmm::Iteration> done_;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Hmm application;
  return aiwc::eod::runApplication(application, argc, argv);
}
