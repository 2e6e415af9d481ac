#pragma once

#include "common/descriptor.h"

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

namespace aiwc {

/// Owns a descriptor of a file, and closes it.
class Descriptor {
public:
  /// `number`: negative if there is none.
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }
  Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor &operator=(Descriptor &&) = delete;
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

private:
  int number_;
};

/// Replaces `descriptor` by a copy whose number is above those of stdin, stdout and stderr: if the
/// user has closed these, the next file to be opened gets one of their numbers. exec closes the
/// copy. Returns -1 and sets errno if there is no copy.
int aboveStandard(int descriptor);

/// Behind the numbers of the standard streams, for this process only. Without a number, and with
/// errno, if the system has no memory for it.
Descriptor memoryFile();

/// Writes the bytes at the begin of a file. Returns whether they are all there.
bool writeWhole(int file, std::string_view bytes);

/// All that is in a file, wherever its position is.
std::string readWhole(int file);

} // namespace aiwc
