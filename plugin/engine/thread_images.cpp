// Images of a launch, and their accesses that compiled code does not make itself.
#include "engine_passes/value_types.h"
#include "plugin/engine/thread_runtime.h"
#include "simulator/images.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <new>

namespace aiwc::engine {
namespace {

/// The type of OpenCL's object that a kernel's argument of this type takes.
cl_mem_object_type objectType(const std::string &type) {
  if (type == "image1d_t")
    return CL_MEM_OBJECT_IMAGE1D;
  if (type == "image1d_array_t")
    return CL_MEM_OBJECT_IMAGE1D_ARRAY;
  if (type == "image1d_buffer_t")
    return CL_MEM_OBJECT_IMAGE1D_BUFFER;
  if (type == "image2d_t")
    return CL_MEM_OBJECT_IMAGE2D;
  if (type == "image2d_array_t")
    return CL_MEM_OBJECT_IMAGE2D_ARRAY;
  return type == "image3d_t" ? CL_MEM_OBJECT_IMAGE3D : 0;
}

ImageEntry entryOf(const oclgrind::Image &image, const std::string &type,
                   const BufferEntry *table) {
  ImageEntry entry;
  entry.image = image;
  entry.isImage = 1;
  entry.format = PixelFormat(image.format);
  constexpr uint64_t kMostSize = uint64_t{1} << 22; // floats tell halves of pixels apart
  constexpr uint64_t kMostBytes = uint64_t{1} << 31;
  uint64_t bytes = entry.format.bytes();
  bool isSmall = true;
  for (const uint64_t size : {image.desc.image_width, image.desc.image_height,
                              image.desc.image_depth, image.desc.image_array_size}) {
    isSmall &= size > 0 && size <= kMostSize;
    bytes *= isSmall ? size : 0;
    isSmall &= bytes < kMostBytes;
  }
  if (!isSmall || !entry.format.isValid() || image.desc.image_type != objectType(type))
    return entry;
  const uint64_t number = image.address >> GlobalView::kOffsetBits;
  entry.bufferBegin = number << GlobalView::kOffsetBits;
  entry.buffer = table[number];
  entry.writable = formatCode(image.format);
  if (image.address - entry.bufferBegin + bytes <= entry.buffer.readSize)
    entry.readable = entry.writable;
  return entry;
}

/// As Oclgrind's function computes it. `corners`: the channel of the pixels, the dimension x last.
float interpolated(const float (&corners)[2][2][2], const std::array<float, 3> &weights) {
  const float a = weights[0], b = weights[1], c = weights[2];
  return (1 - a) * (1 - b) * (1 - c) * corners[0][0][0] + a * (1 - b) * (1 - c) * corners[0][0][1] +
         (1 - a) * b * (1 - c) * corners[0][1][0] + a * b * (1 - c) * corners[0][1][1] +
         (1 - a) * (1 - b) * c * corners[1][0][0] + a * (1 - b) * c * corners[1][0][1] +
         (1 - a) * b * c * corners[1][1][0] + a * b * c * corners[1][1][1];
}

/// The native pointer to the pixel; null beyond the border.
const uint8_t *pixelOf(const ImageEntry &entry, int32_t x, int32_t y, int32_t z, int32_t layer) {
  if (!simulator::isInside(entry.image, x, y, z))
    return nullptr;
  return entry.buffer.data +
         (simulator::pixelAddress(entry.image, x, y, z, layer) - entry.bufferBegin);
}

uint32_t componentOf(const PixelFormat &format, const uint8_t *pixel, unsigned component) {
  return pixel ? format.decode(pixel, component) : format.beyondBorder(component);
}

/// Returns false if a component is a NaN that depends on how Oclgrind was compiled.
bool read(const ImageEntry &entry, const simulator::PlaceRead &place, uint32_t (&result)[4]) {
  const auto &[x, y, z] = place.pixels;
  if (!place.isLinear) {
    const uint8_t *pixel = pixelOf(entry, x[0], y[0], z[0], place.layer);
    for (unsigned component = 0; component < 4; ++component)
      result[component] = componentOf(entry.format, pixel, component);
    return true;
  }
  const uint8_t *pixels[8];
  for (unsigned i = 0; i < 8; ++i)
    pixels[i] = pixelOf(entry, x[i % 2], y[i / 2 % 2], z[i / 4], place.layer);
  for (unsigned component = 0; component < 4; ++component) {
    float corners[2][2][2];
    for (unsigned i = 0; i < 8; ++i)
      corners[i / 4][i / 2 % 2][i % 2] =
          std::bit_cast<float>(componentOf(entry.format, pixels[i], component));
    const float value = interpolated(corners, place.weights);
    if (std::isnan(value))
      return false;
    result[component] = std::bit_cast<uint32_t>(value);
  }
  return true;
}

} // namespace

void ThreadRuntime::prepareImages() {
  for (const ValueSlot &slot : launch_.kernel.code.slots) {
    uint64_t value = 0;
    if (slot.size != sizeof value)
      continue;
    uint8_t *place = values_.data() + slot.offset;
    std::memcpy(&value, place, sizeof value);
    const llvm::Type &type = *slot.value->getType();
    if (const std::string name = imageTypeName(type); !name.empty()) {
      const oclgrind::Image *image = simulator::imageOf(value);
      images_.push_back(image ? entryOf(*image, name, state_.global) : ImageEntry());
      value = reinterpret_cast<uint64_t>(&images_.back());
    } else if (isSampler(type)) { // in Oclgrind the address of the constant, or 0
      const auto *bits =
          reinterpret_cast<const llvm::ConstantInt *>(value); // NOLINT(performance-no-int-to-ptr)
      value = bits ? bits->getZExtValue() : 0;
    }
    std::memcpy(place, &value, sizeof value);
  }
}

void ThreadRuntime::accessImage(const BuiltinSite &site, ImageCall &call, trace::Access access,
                                bool traced) {
  const ImageEntry &entry = *call.image;
  if (!entry.isImage)
    fail(Failure::kNoImage);
  const oclgrind::Image &image = entry.image;
  if (simulator::pixelBytes(image.format) == 0)
    failOnFormat(site, image);
  simulator::PlaceRead place;
  simulator::Pixels pixels;
  if (access.write) {
    pixels.bytes = simulator::pixelBytes(image.format);
    pixels.add(simulator::pixelAddress(image, static_cast<int32_t>(call.coordinates[0]),
                                       static_cast<int32_t>(call.coordinates[1]),
                                       static_cast<int32_t>(call.coordinates[2])));
  } else {
    std::array<float, 3> coordinates{};
    for (unsigned d = 0; d < 3; ++d)
      coordinates[d] = site.hasRealCoordinates
                           ? std::bit_cast<float>(call.coordinates[d])
                           : static_cast<float>(static_cast<int32_t>(call.coordinates[d]));
    auto sampler = static_cast<uint32_t>(call.sampler);
    if (site.colour != Colour::kReal) // Oclgrind does not filter integers
      sampler &= ~static_cast<uint32_t>(CLK_FILTER_LINEAR);
    place = simulator::placeRead(image, sampler, coordinates);
    pixels = simulator::pixelsRead(image, place);
  }
  const uint64_t offset = access.write ? pixels.addresses()[0] - entry.bufferBegin : 0;
  const bool isPlain = entry.format.isValid() && entry.format.colour() == site.colour &&
                       (access.write ? entry.writable && entry.buffer.writeSize >= pixels.bytes &&
                                           offset <= entry.buffer.writeSize - pixels.bytes
                                     : entry.readable != 0);
  if (!isPlain) {
    for (const uint64_t address : pixels.addresses())
      bytes(oclgrind::AddrSpaceGlobal, address, pixels.bytes, access.write);
    // Oclgrind reports what the image's flags and mappings do not allow: it does so itself then.
    for (const uint64_t address : pixels.addresses())
      launch_.global.check(address, pixels.bytes, access.write,
                           [&](Violation) { fail(Failure::kAccess); });
  }
  if (traced) {
    access.size = pixels.bytes;
    for (const uint64_t address : pixels.addresses()) {
      access.address = address;
      *state_.trace.access++ = access;
    }
  }
  if (isPlain && access.write) {
    saveGranules(pixels.addresses()[0], pixels.bytes);
    entry.format.encode(call.colour, entry.buffer.data + offset);
  } else if (!isPlain || !read(entry, place, call.result)) {
    accessByOclgrind(site, call, access.write);
  }
}

/// Oclgrind's function reads and writes Oclgrind's own buffers.
void ThreadRuntime::accessByOclgrind(const BuiltinSite &site, ImageCall &call, bool write) {
  oclgrind::WorkItem &scratch = scratchForCall();
  ImageCall passed = call;
  if (!write) { // in Oclgrind, a sampler is the address of a constant
    llvm::Type *type = llvm::Type::getInt32Ty(site.call->getContext());
    passed.sampler = reinterpret_cast<uint64_t>(llvm::ConstantInt::get(type, call.sampler));
  }
  site.bind(scratch, reinterpret_cast<const uint8_t *>(&passed));
  bool refused = false;
  try {
    site.evaluateBound(scratch, reinterpret_cast<uint8_t *>(call.result));
  } catch (const std::bad_alloc &) {
    throw;
  } catch (...) { // Oclgrind ends the kernel; no fiber is left in a handler of exceptions
    refused = true;
  }
  if (refused)
    failOnFormat(site, call.image->image);
}

AIWC_LEAVES_BY_JUMP void ThreadRuntime::failOnFormat(const BuiltinSite &site,
                                                     const oclgrind::Image &image) {
  reasonDetail_ = ": " + site.builtin.name + " on " + simulator::formatName(image.format);
  fail(Failure::kImageFormat);
}

} // namespace aiwc::engine
