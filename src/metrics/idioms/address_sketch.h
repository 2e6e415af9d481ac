#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// A sample of a set of addresses: those with the smallest hashes, at most 64. Two sketches tell
/// how much the sets have in common (Broder, "On the resemblance and containment of documents",
/// 1997); up to 64 addresses in both together, exactly. The result does not depend on the order.
class AddressSketch {
public:
  static constexpr size_t kMost = 64;

  void add(uint64_t address) {
    const uint64_t hash = mixed(address);
    if (hash >= limit_) [[likely]]
      return;
    uint64_t &recent = recent_[hash % recent_.size()];
    if (recent == hash)
      return;
    recent = hash;
    insert(hash);
  }
  void merge(const AddressSketch &other) {
    for (const uint64_t hash : other.hashes_)
      if (hash < limit_)
        insert(hash);
  }

  /// An estimate of |A ∩ B| / |A ∪ B|; 0 for empty sets.
  double overlap(const AddressSketch &other) const {
    size_t a = 0;
    size_t b = 0;
    size_t all = 0;
    size_t common = 0;
    for (; all < kMost && (a < hashes_.size() || b < other.hashes_.size()); ++all) {
      const uint64_t left = a < hashes_.size() ? hashes_[a] : UINT64_MAX;
      const uint64_t right = b < other.hashes_.size() ? other.hashes_[b] : UINT64_MAX;
      common += left == right;
      a += left <= right;
      b += right <= left;
    }
    return all == 0 ? 0 : static_cast<double>(common) / static_cast<double>(all);
  }

private:
  /// A bijection (the finaliser of MurmurHash3), less the largest value, which stands for none.
  static uint64_t mixed(uint64_t address) {
    address ^= address >> 33U;
    address *= 0xff51afd7ed558ccdU;
    address ^= address >> 33U;
    address *= 0xc4ceb9fe1a85ec53U;
    address ^= address >> 33U;
    return address;
  }

  static constexpr std::array<uint64_t, kMost> none() {
    std::array<uint64_t, kMost> table{};
    table.fill(UINT64_MAX);
    return table;
  }

  void insert(uint64_t hash) {
    const auto at = std::ranges::lower_bound(hashes_, hash);
    if (at != hashes_.end() && *at == hash)
      return;
    hashes_.insert(at, hash);
    if (hashes_.size() > kMost)
      hashes_.pop_back();
    if (hashes_.size() == kMost)
      limit_ = hashes_.back();
  }

  std::vector<uint64_t> hashes_; ///< sorted
  uint64_t limit_ = UINT64_MAX;  ///< hashes from here on are too large
  /// Hashes that were inserted. Addresses repeat, and a look into this table is cheaper than a
  /// search.
  std::array<uint64_t, kMost> recent_ = none();
};

} // namespace aiwc::metrics
