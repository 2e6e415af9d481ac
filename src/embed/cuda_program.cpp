#include "embed/cuda_program.h"

#include "cuda_image/image.h"
#include "embed/bitcode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace aiwc::embed {
namespace {

constexpr std::string_view kElf = "\x7f"
                                  "ELF";
constexpr std::string_view kFooter = "aiwc.profiles 1\n";
constexpr size_t kNumberBytes = 8;

uint64_t numberAt(std::string_view bytes, size_t at) {
  uint64_t value = 0;
  for (size_t i = 0; i < kNumberBytes; ++i)
    value |= uint64_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
  return value;
}

std::string numberBytes(uint64_t value) {
  std::string bytes;
  for (size_t i = 0; i < kNumberBytes; ++i)
    bytes += static_cast<char>(value >> 8 * i & 0xff);
  return bytes;
}

bool isCudaProgram(const std::filesystem::path & /*file*/, std::string_view content) {
  return content.starts_with(kElf) && !cuda::imagesIn(content).empty();
}

} // namespace

std::string stripCudaProgram(std::string_view file) {
  const size_t footer = kNumberBytes + kFooter.size();
  if (file.ends_with(kFooter) && file.size() >= footer)
    if (const uint64_t length = numberAt(file, file.size() - footer);
        length <= file.size() - footer)
      file.remove_suffix(footer + length);
  return std::string(file);
}

std::string embedIntoCudaProgram(std::string_view file, std::span<const Annotation> annotations) {
  std::string result = stripCudaProgram(file);
  std::string lines;
  for (const Annotation &annotation : annotations)
    lines += markedLine(annotation.text) + '\n';
  if (!lines.empty())
    result += lines + numberBytes(lines.size()) + std::string(kFooter);
  return result;
}

Identity identityOfCudaProgram(std::string_view file) {
  Identity identity;
  std::vector<cuda::Image> images;
  for (const std::string_view bytes : cuda::imagesIn(file))
    images.push_back(cuda::parseImage(bytes));
  for (const cuda::Image &image : images)
    for (const cuda::Image::Kernel &kernel : image.kernels)
      identity.kernels.push_back(kernel.function);
  std::ranges::sort(identity.kernels);
  identity.kernels.erase(std::unique(identity.kernels.begin(), identity.kernels.end()),
                         identity.kernels.end());
  if (images.size() == 1)
    identity.hash = identityOfBitcode(images.front().bitcode).hash;
  return identity;
}

const Carrier kCudaProgram = {
    .name = "a CUDA program",
    .sourceKind = "cuda",
    .recognises = isCudaProgram,
    .read = readBitcode,
    .strip = stripCudaProgram,
    .embed = embedIntoCudaProgram,
    .identity = identityOfCudaProgram,
};

} // namespace aiwc::embed
