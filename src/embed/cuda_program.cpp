#include "embed/cuda_program.h"

#include "embed/bitcode.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace aiwc::embed {
namespace {

constexpr std::string_view kElf = "\x7f"
                                  "ELF";
/// The beginning of an image: its name and version 1.
constexpr std::string_view kImage("AIWCCUDA\1\0\0\0\0\0\0\0", 16);
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

struct CudaImage {
  std::string_view table, bitcode;
};

std::vector<CudaImage> imagesIn(std::string_view file) {
  std::vector<CudaImage> images;
  for (size_t at = file.find(kImage); at != std::string_view::npos;
       at = file.find(kImage, at + 1)) {
    std::string_view rest = file.substr(at + kImage.size());
    std::array<uint64_t, 4> sizes{}; // table, global and constant symbols, bitcode
    if (rest.size() < sizes.size() * kNumberBytes)
      break;
    for (size_t i = 0; i < sizes.size(); ++i)
      sizes[i] = numberAt(rest, i * kNumberBytes);
    rest.remove_prefix(sizes.size() * kNumberBytes);
    const bool fits =
        std::ranges::all_of(sizes, [&](uint64_t size) { return size <= rest.size(); });
    const uint64_t all = fits ? std::accumulate(sizes.begin(), sizes.end(), uint64_t{0}) : 0;
    if (!fits || all > rest.size())
      continue; // the text of a program that looks for images
    images.push_back({rest.substr(0, sizes[0]), rest.substr(all - sizes[3], sizes[3])});
  }
  return images;
}

/// The third field of the lines "kernel", as cuda/device/image.cpp writes them.
void addKernels(std::string_view table, std::vector<std::string> &kernels) {
  while (!table.empty()) {
    const std::string_view line = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(line.size() + 1, table.size()));
    constexpr std::string_view kKernel = "kernel\t";
    const size_t name = line.find('\t', kKernel.size());
    if (line.starts_with(kKernel) && name != std::string_view::npos) {
      const std::string_view rest = line.substr(name + 1);
      kernels.emplace_back(rest.substr(0, rest.find('\t')));
    }
  }
}

bool isCudaProgram(const std::filesystem::path & /*file*/, std::string_view content) {
  return content.starts_with(kElf) && content.find(kImage) != std::string_view::npos;
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
  const std::vector<CudaImage> images = imagesIn(file);
  for (const CudaImage &image : images)
    addKernels(image.table, identity.kernels);
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
