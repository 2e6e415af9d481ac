#include "embed/cuda_program.h"

#include "device_code/device_code.h"
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
  return content.starts_with(kElf) && !cuda::deviceCodesIn(content).empty();
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
  std::vector<cuda::DeviceCode> codes;
  for (const std::string_view bytes : cuda::deviceCodesIn(file))
    codes.push_back(cuda::parseDeviceCode(bytes));
  for (const cuda::DeviceCode &code : codes)
    for (const cuda::DeviceCode::Kernel &kernel : code.kernels)
      identity.kernels.push_back(kernel.function);
  std::ranges::sort(identity.kernels);
  identity.kernels.erase(std::unique(identity.kernels.begin(), identity.kernels.end()),
                         identity.kernels.end());
  if (codes.size() == 1)
    identity.hash = identityOfBitcode(codes.front().bitcode).hash;
  return identity;
}

const Container kCudaProgram = {
    .name = "a CUDA program",
    .sourceKind = "cuda",
    .recognises = isCudaProgram,
    .read = readBitcode,
    .strip = stripCudaProgram,
    .embed = embedIntoCudaProgram,
    .identity = identityOfCudaProgram,
};

} // namespace aiwc::embed
