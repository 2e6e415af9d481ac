#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::profile {

/// The hash that identifies a kernel's source (or other bytes) in profiles and annotations:
/// "xxh3-128:" and the 32 hexadecimal digits of the 128-bit XXH3 hash. Not cryptographic: it
/// detects a changed source, but not a deliberate forgery.
std::string sourceHash(std::string_view bytes);

/// " of source 3880bea3", which tells kernels of one name apart; empty for an empty hash.
std::string ofSource(std::string_view sourceHash);

struct NamedCode {
  std::string_view kernel, sourceHash, buildOptions;
};
/// What tells each of these kernels, which all differ, from others of its name: nothing if it is
/// the only one, else the source, and the build options that not all of this name and source have:
/// " of source 3880bea3 with -DN=4".
std::vector<std::string> toldApart(std::span<const NamedCode> kernels);

/// Computes `sourceHash` of bytes that are passed in pieces.
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

/// The 64-bit XXH3 hash, used as a checksum.
uint64_t checksum(std::string_view bytes);

} // namespace aiwc::profile
