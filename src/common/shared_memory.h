/// Memory of the host that simulated kernels see at the same addresses. The simulator's addresses
/// are others (the number of a buffer in the upper 16 bits): while a kernel runs, addresses of such
/// memory are replaced. Headers only: the library that is preloaded into applications includes this
/// file.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <vector>

namespace aiwc {

/// Addresses of a user's process are below; the simulator's are not.
inline constexpr size_t kHostAddressEnd = size_t{1} << 47;

/// Memory of the host, filled with 0, at an address that no number in a program is likely to be:
/// words that are equal to its addresses are replaced. Null if memory is short.
inline void *mapShared(size_t bytes) {
  // Bits 46 and 47 are 0. As two numbers of 32 bits, an address is a large one, negative with a
  // sign, and a small one; as one of real numbers, it is below all that programs compute with.
  constexpr size_t kFirst = 0x2a95'8000'0000, kHalf = size_t{1} << 31, kApart = 1 << 16;
  static size_t next = kFirst;
  next |= kHalf; // the upper half of 4 GiB
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a wish
  void *memory = mmap(reinterpret_cast<void *>(next), bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  next += (bytes / kApart + 2) * kApart;
  return memory;
}

/// Words of such memory that hold its addresses and have the simulator's in their place while a
/// kernel runs.
class TranslatedWords {
public:
  /// `toDevice` returns the simulator's address for one of the host, and any other word as it is.
  template <typename ToDevice> void translate(void *memory, size_t bytes, ToDevice toDevice) {
    auto *words = static_cast<size_t *>(memory);
    for (size_t i = 0; i < bytes / sizeof(size_t); ++i) {
      const size_t onDevice = toDevice(words[i]);
      if (onDevice == words[i])
        continue;
      words_.push_back({&words[i], words[i], onDevice});
      words[i] = onDevice;
    }
  }
  /// `toHost` returns what the host gets for a word that the kernel stored over a translated one.
  template <typename ToHost> void restore(ToHost toHost) const {
    for (const Word &word : words_)
      *word.place = *word.place == word.onDevice ? word.onHost : toHost(*word.place);
  }

private:
  struct Word {
    size_t *place;
    size_t onHost, onDevice;
  };
  std::vector<Word> words_;
};

} // namespace aiwc
