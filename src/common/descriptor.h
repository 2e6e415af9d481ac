#pragma once

#include <unistd.h>

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

} // namespace aiwc
