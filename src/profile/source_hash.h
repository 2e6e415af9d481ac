#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// What identifies a kernel's source (or other bytes) in profiles and annotations:
/// "xxh3-128:" and 32 hexadecimal digits, the XXH3 hash of 128 bits. Not cryptographic: it finds
/// out that a source has changed, not that somebody wanted it to look unchanged.
std::string sourceHash(std::string_view bytes);

/// The same of bytes that come in pieces.
class SourceHasher {
public:
  SourceHasher();
  ~SourceHasher();
  SourceHasher(const SourceHasher &) = delete;
  SourceHasher &operator=(const SourceHasher &) = delete;
  void add(std::string_view bytes);
  std::string hash() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// XXH3 of 64 bits, for checksums.
uint64_t checksum(std::string_view bytes);

} // namespace aiwc::profile
