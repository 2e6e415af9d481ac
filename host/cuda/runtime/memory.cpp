#include "cuda/runtime/memory.h"

#include "cuda/runtime/failure.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace aiwc::cuda {
namespace {

/// OpenCL's largest pattern. The simulator fills piece by piece.
constexpr size_t kMostPatternBytes = 128;

/// Whether device code may access the rest of a word of which a buffer has a part.
std::atomic<bool> hasWholeWords = false;

/// The size of the simulator's buffer for one of the program's.
size_t bufferBytes(size_t bytes) {
  constexpr size_t kWord = 4;
  const size_t least = std::max<size_t>(bytes, 1);
  return hasWholeWords ? (least + kWord - 1) / kWord * kWord : least;
}

/// The bytes from the first to the end of the last row. Fails if that is no size.
size_t extent(size_t pitch, size_t width, size_t height) {
  if (height == 0 || width == 0)
    return 0;
  require(height == 1 || pitch >= width, cudaErrorInvalidPitchValue);
  size_t rows = 0, bytes = 0;
  require(!__builtin_mul_overflow(pitch, height - 1, &rows) &&
              !__builtin_add_overflow(rows, width, &bytes),
          cudaErrorInvalidValue);
  return bytes;
}

} // namespace

void allocateWholeWords() {
  hasWholeWords = true;
}

size_t Memory::allocate(const Simulator &simulator, size_t bytes, Allocation::Kind kind) {
  require(bytes <= simulator.globalBytes, cudaErrorMemoryAllocation);
  Allocation allocation{kind};
  addBuffer(simulator, bytes, allocation);
  return allocation.address;
}

void Memory::addBuffer(const Simulator &simulator, size_t bytes, Allocation &allocation) {
  // What a program registers is its own, a page that was mapped ends with a word.
  const bool isRegistered = allocation.kind == Allocation::Kind::kRegistered;
  const Simulator::Buffer buffer =
      simulator.create(isRegistered ? bytes : bufferBytes(bytes), allocation.host);
  bytes_ += bytes;
  allocation.buffer = buffer.memory;
  allocation.address = buffer.address;
  byDevice_.add(buffer.address, bytes, allocation);
}

size_t Memory::deviceAddress(const Simulator &simulator, size_t address) {
  Range *shared = byHost_.find(address);
  if (!shared)
    return address;
  if (!shared->value.buffer)
    addBuffer(simulator, shared->bytes, shared->value);
  return shared->value.address + (address - shared->begin);
}

void Memory::share(void *host, size_t bytes, unsigned int flags, Allocation::Kind kind) {
  require(host && bytes > 0 && addressOf(host) < kHostAddressEnd, cudaErrorInvalidValue);
  require(!byHost_.overlaps(addressOf(host), bytes), cudaErrorHostMemoryAlreadyRegistered);
  byHost_.add(addressOf(host), bytes, {kind, nullptr, 0, host, flags});
}

void *Memory::allocateShared(const Simulator &simulator, size_t bytes, Allocation::Kind kind,
                             unsigned int flags) {
  require(bytes <= simulator.globalBytes, cudaErrorMemoryAllocation);
  bytes = std::max<size_t>(bytes, 1);
  void *host = mapShared(bytes);
  require(host, cudaErrorMemoryAllocation);
  try {
    share(host, bytes, flags, kind);
  } catch (...) {
    munmap(host, bytes);
    throw;
  }
  return host;
}

void Memory::free(const Simulator &simulator, const void *pointer,
                  std::initializer_list<Allocation::Kind> kinds, cudaError_t error) {
  const auto *host = byHost_.at(addressOf(pointer));
  const Range *range = host ? host : byDevice_.at(addressOf(pointer));
  require(range && std::ranges::find(kinds, range->value.kind) != kinds.end(), error);
  const Range freed = *range;
  if (freed.value.buffer) {
    bytes_ -= freed.bytes;
    byDevice_.remove(freed.value.address);
    simulator.release(freed.value.buffer);
  }
  if (!freed.value.host)
    return;
  byHost_.remove(addressOf(freed.value.host));
  if (freed.value.kind != Allocation::Kind::kRegistered)
    munmap(freed.value.host, freed.bytes);
}

Memory::Resolved Memory::resolve(Place place, size_t width, size_t height) {
  const size_t bytes = extent(place.pitch, width, height), address = addressOf(place.pointer);
  if (Range *range = byDevice_.find(address)) {
    const size_t offset = address - range->begin;
    require(bytes <= range->bytes - offset, cudaErrorInvalidValue);
    return {range->value.buffer, offset, nullptr};
  }
  require(place.pointer && address < kHostAddressEnd && bytes < kHostAddressEnd - address,
          cudaErrorInvalidValue);
  if (const auto *host = byHost_.find(address))
    require(bytes <= host->bytes - (address - host->begin), cudaErrorInvalidValue);
  return {nullptr, 0, static_cast<char *>(const_cast<void *>(place.pointer))};
}

void Memory::copy(const Simulator &simulator, Place to, Place from, size_t width, size_t height,
                  cudaMemcpyKind kind) {
  require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault,
          cudaErrorInvalidMemcpyDirection);
  if (width == 0 || height == 0)
    return;
  const Resolved target = resolve(to, width, height), source = resolve(from, width, height);
  // The addresses tell where they are, but a wrong direction is the program's error. Memory that
  // both sides see is right for both.
  const auto isRight = [&](const Resolved &place, const void *pointer, bool isOnDevice) {
    const Range *range = place.buffer ? onDevice(pointer) : onHost(pointer);
    return static_cast<bool>(place.buffer) == isOnDevice || (range && range->value.host);
  };
  if (kind != cudaMemcpyDefault) {
    const bool fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    require(isRight(target, to.pointer, toDevice) && isRight(source, from.pointer, fromDevice),
            cudaErrorInvalidValue);
  }

  if (to.pitch == width && from.pitch == width) {
    width *= height;
    height = 1;
  }
  const size_t zero[3] = {0, 0, 0}, region[3] = {width, height, 1};
  const size_t toOrigin[3] = {target.offset, 0, 0}, fromOrigin[3] = {source.offset, 0, 0};
  const bool isFlat = height == 1;
  cl_command_queue queue = simulator.queue;
  cl_int status = CL_SUCCESS;
  if (target.buffer && source.buffer)
    status =
        isFlat ? clEnqueueCopyBuffer(queue, source.buffer, target.buffer, source.offset,
                                     target.offset, width, 0, nullptr, nullptr)
               : clEnqueueCopyBufferRect(queue, source.buffer, target.buffer, fromOrigin, toOrigin,
                                         region, from.pitch, 0, to.pitch, 0, 0, nullptr, nullptr);
  else if (target.buffer)
    status = isFlat ? clEnqueueWriteBuffer(queue, target.buffer, CL_TRUE, target.offset, width,
                                           source.host, 0, nullptr, nullptr)
                    : clEnqueueWriteBufferRect(queue, target.buffer, CL_TRUE, toOrigin, zero,
                                               region, to.pitch, 0, from.pitch, 0, source.host, 0,
                                               nullptr, nullptr);
  else if (source.buffer)
    status = isFlat ? clEnqueueReadBuffer(queue, source.buffer, CL_TRUE, source.offset, width,
                                          target.host, 0, nullptr, nullptr)
                    : clEnqueueReadBufferRect(queue, source.buffer, CL_TRUE, fromOrigin, zero,
                                              region, from.pitch, 0, to.pitch, 0, target.host, 0,
                                              nullptr, nullptr);
  else if (target.host && source.host) // as they are
    for (size_t row = 0; row < height; ++row)
      std::memmove(target.host + row * to.pitch, source.host + row * from.pitch, width);
  if (target.buffer || source.buffer)
    simulator.finish(status);
}

void Memory::fill(const Simulator &simulator, void *pointer, size_t pitch, unsigned char value,
                  size_t width, size_t height) {
  if (width == 0 || height == 0)
    return;
  const Resolved target = resolve({pointer, pitch}, width, height);
  require(target.buffer || onHost(pointer), cudaErrorInvalidValue);
  if (pitch == width) {
    width *= height;
    height = 1;
  }
  if (target.host) {
    for (size_t row = 0; row < height; ++row)
      std::memset(target.host + row * pitch, value, width);
    return;
  }
  unsigned char pattern[kMostPatternBytes];
  std::memset(pattern, value, sizeof pattern);
  cl_int status = CL_SUCCESS;
  for (size_t row = 0; row < height && status == CL_SUCCESS; ++row) {
    const size_t offset = target.offset + row * pitch;
    // The largest power of 2 that divides the offset, and what it fills.
    const size_t alignment = offset == 0 ? kMostPatternBytes : offset & -offset;
    const size_t piece = std::min(alignment, kMostPatternBytes), most = width / piece * piece;
    if (most > 0)
      status = clEnqueueFillBuffer(simulator.queue, target.buffer, pattern, piece, offset, most, 0,
                                   nullptr, nullptr);
    if (most < width && status == CL_SUCCESS)
      status = clEnqueueFillBuffer(simulator.queue, target.buffer, pattern, 1, offset + most,
                                   width - most, 0, nullptr, nullptr);
  }
  simulator.finish(status);
}

Memory::Translated::Translated(const Simulator &simulator, Memory &memory) : memory_(memory) {
  // An address may lead to memory that the device gets by that.
  for (size_t known = 0; known != memory_.byDevice_.size();) {
    known = memory_.byDevice_.size();
    for (auto &[begin, range] : memory_.byDevice_)
      if (range.value.kind == Allocation::Kind::kManaged)
        words_.translate(range.value.host, range.bytes,
                         [&](size_t word) { return memory_.deviceAddress(simulator, word); });
  }
}

Memory::Translated::~Translated() {
  words_.restore([&](size_t word) {
    const Range *range = memory_.byDevice_.find(word);
    return range && range->value.host ? addressOf(range->value.host) + (word - range->begin) : word;
  });
}

} // namespace aiwc::cuda
