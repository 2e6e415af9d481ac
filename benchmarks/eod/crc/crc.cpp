#include "crc_cl.h"
#include "eod/common/application.h"
#include "eod/common/parameters.h"
#include "eod/common/session.h"
#include "eod/crc/crc_reference.h"
#include "eod/formats/raw.h"

#include <fmt/format.h>

namespace aiwc::eod {
namespace {

constexpr uint32_t kMostBytes = 1u << 31;

class Crc : public Application {
public:
  const Description &description() const override { return description_; }

  void addOptions(Parameters &parameters) override {
    const Parameter bytes =
        parameters.add("-n,--bytes", bytes_, "of the generated message").excludesSize();
    parameters
        .add(
            "--input", [this](const std::string &path) { readMessage(path); },
            "any file: the message")
        .excludesSize()
        .excludes(bytes);
    parameters.add("--page", page_, "bytes of the message that a work-item takes").showDefault();
  }

  void selectSize(Size size) override {
    constexpr std::array<uint32_t, 4> kBytes{2000, 16000, 524000, 4194304};
    bytes_ = kBytes[static_cast<size_t>(size)];
    input_.clear();
  }

  void checkParameters() const override {
    if (bytes_ < 1 || bytes_ > kMostBytes)
      throw UsageError(fmt::format("--bytes {}: expected 1 to {}", bytes_, kMostBytes));
    if (page_ < 1)
      throw UsageError("--page 0: expected 1 or more");
  }

  std::string parameter() const override {
    return fmt::format("{}{}", bytes_, input_.empty() ? "" : " file");
  }

  std::string settings() const override { return fmt::format("pages of {} bytes (--page)", page_); }

  std::vector<Allocation> allocations(size_t) const override {
    return {{"message", bytes_, CL_MEM_READ_ONLY},
            {"tables", tables_.size() * sizeof(uint32_t), CL_MEM_READ_ONLY},
            {"checksums", pages() * sizeof(uint32_t), CL_MEM_WRITE_ONLY}};
  }

  WorkGroup workGroup(size_t localSize) const override { return {localSize, 0}; }

  std::string buildOptions(size_t) const override { return ""; }

  void setUp(Session &, uint64_t seed) override {
    message_ = input_.empty() ? crc::message(bytes_, seed) : input_;
    checksums_.resize(pages());
  }

  void run(Session &session) override {
    const size_t localSize = session.localSize();
    session.write("message", message_);
    session.write("tables", tables_);
    session.launch("crc32_slice8", {{roundUp(pages(), localSize)}, {localSize}},
                   session.buffer("message"), bytes_, page_, session.buffer("tables"),
                   session.buffer("checksums"), static_cast<cl_uint>(pages()));
    session.read("checksums", checksums_);
    whole_ = crc::combined(checksums_, bytes_, page_);
  }

  Verdict verify(Session &) override { return crc::check(message_, page_, checksums_, whole_); }

  std::string result() const override { return fmt::format("{:08x}", whole_); }

private:
  void readMessage(const std::string &path) {
    input_ = readRaw(path, kMostBytes);
    bytes_ = static_cast<uint32_t>(input_.size());
  }

  uint64_t pages() const { return (uint64_t{bytes_} + page_ - 1) / page_; }

  const Description description_{.name = "crc",
                                 .dwarf = "combinational logic",
                                 .summary = "CRC-32 of a message, eight bytes at a time",
                                 .source = kSource,
                                 .kernels = {"crc32_slice8"},
                                 .localSizeMeaning = "work-items of a work-group",
                                 .localSizes = {1, 8, 16, 32, 48, 64, 128, 256},
                                 .defaultLocalSize = 64};
  const std::vector<uint32_t> tables_ = crc::tables();
  uint32_t bytes_ = 0;
  uint32_t page_ = 64;
  crc::Bytes input_; ///< empty where the message is to be generated
  crc::Bytes message_;
  std::vector<uint32_t> checksums_; ///< of the pages
  uint32_t whole_ = 0;
};

} // namespace
} // namespace aiwc::eod

int main(int argc, char **argv) {
  aiwc::eod::Crc application;
  return aiwc::eod::runApplication(application, argc, argv);
}
