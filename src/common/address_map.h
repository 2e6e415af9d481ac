// Ranges of addresses that do not overlap.
#pragma once

#include <cstddef>
#include <map>

namespace aiwc {

/// What is known of the ranges that addresses are in. Empty ranges take one address, so that each
/// range has an address of its own.
template <typename Value> class AddressMap {
public:
  struct Range {
    size_t begin = 0, bytes = 0;
    Value value;
  };

  /// Replaces a range that begins at the same address.
  void add(size_t begin, size_t bytes, Value value) {
    ranges_.insert_or_assign(begin, Range{begin, bytes, std::move(value)});
  }
  /// The range that has the address; its end is part of it only if it is empty. Null if none.
  Range *find(size_t address) {
    auto next = ranges_.upper_bound(address);
    if (next == ranges_.begin())
      return nullptr;
    Range &range = std::prev(next)->second;
    return address == range.begin || address - range.begin < range.bytes ? &range : nullptr;
  }
  /// Whether all of the bytes at the address are in one range.
  bool contains(size_t address, size_t bytes) {
    const Range *range = find(address);
    return range && bytes <= range->bytes - (address - range->begin);
  }
  /// The range that begins there, or null.
  Range *at(size_t begin) {
    const auto found = ranges_.find(begin);
    return found == ranges_.end() ? nullptr : &found->second;
  }
  /// Whether one of the bytes is in a range.
  bool overlaps(size_t begin, size_t bytes) {
    if (find(begin))
      return true;
    const auto next = ranges_.upper_bound(begin);
    return next != ranges_.end() && next->first - begin < bytes;
  }
  void remove(size_t begin) { ranges_.erase(begin); }
  bool empty() const { return ranges_.empty(); }
  size_t size() const { return ranges_.size(); }
  auto begin() { return ranges_.begin(); }
  auto end() { return ranges_.end(); }

private:
  std::map<size_t, Range> ranges_;
};

/// The same place in the range that `ranges` assigns to the address's; an address that is in none
/// stays as it is.
inline size_t translated(AddressMap<size_t> &ranges, size_t address) {
  const auto *range = ranges.find(address);
  return range ? range->value + (address - range->begin) : address;
}

} // namespace aiwc
