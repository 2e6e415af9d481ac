#include "image.h"

#include <fmt/format.h>

namespace aiwc::cuda {
namespace {

constexpr uint64_t kVersion = 1;

const char *nameOf(SymbolSpace space) {
  return space == SymbolSpace::kGlobal ? "global" : "constant";
}

std::string table(const Image &image) {
  std::string lines;
  for (const Image::Kernel &kernel : image.kernels) {
    lines += fmt::format("kernel\t{}\t{}\t{}\t{}", kernel.name, kernel.function,
                         kernel.hidden.empty() ? "-" : kernel.hidden, kernel.sharedBytes);
    for (const uint64_t size : kernel.sizes)
      lines += fmt::format("\t{}", size);
    lines += '\n';
  }
  for (const Image::Symbol &symbol : image.symbols)
    lines += fmt::format("symbol\t{}\t{}\t{}\t{}\n", symbol.name, nameOf(symbol.space),
                         symbol.offset, symbol.size);
  for (const Image::Pointer &pointer : image.pointers)
    lines += fmt::format("pointer\t{}\t{}\t{}\t{}\n", nameOf(pointer.space), pointer.offset,
                         nameOf(pointer.targetSpace), pointer.targetOffset);
  return lines;
}

void appendNumber(std::string &bytes, uint64_t number) {
  for (unsigned i = 0; i < 8; ++i)
    bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

} // namespace

std::string writeImage(const Image &image) {
  const std::string lines = table(image);
  std::string bytes = "AIWCCUDA";
  appendNumber(bytes, kVersion);
  for (const std::string *part : {&lines, &image.bytes[0], &image.bytes[1], &image.bitcode})
    appendNumber(bytes, part->size());
  return bytes + lines + image.bytes[0] + image.bytes[1] + image.bitcode;
}

} // namespace aiwc::cuda
