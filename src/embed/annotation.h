/// Annotations: kernel profiles in compact form, each for one kernel and NDRange. A container
/// (container.h) finds them in a file and knows how they are delimited there.
#pragma once

#include "embed/compact_profile.h"
#include "embed/marker.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

struct Annotation {
  LaunchKey launch;
  std::string sourceHash; ///< hash of the source that was characterised
  std::string text;       ///< the profile in compact form
  std::string place;      ///< its position in the file, for messages: "line 12"
  /// Whether the container's source has changed since it was characterised, as far as the container
  /// can detect.
  bool stale = false;
  /// The hash of the content that the annotation was put into, without annotations. Set only by
  /// containers that keep this hash in addition to the source's.
  std::string containerHash = {};

  /// Decodes the text. Throws Error, `place: ...`, if it is damaged; damage is not detected
  /// earlier.
  profile::KernelProfile profile() const;
  /// The same, but returns none if the text is damaged. The reason is then written to `damage`,
  /// unless `damage` already holds one.
  std::optional<profile::KernelProfile> profileIfIntact(std::string &damage) const;
  /// Whether the text can be decoded.
  bool intact() const;
  /// Whether the annotation may be written into a new file. A stale one may not, since it would be
  /// stale there as well; a damaged one may not, since its lines could be mistaken for the
  /// container's own.
  bool rewritable() const;
};

/// The annotations found in a container. Reading never fails: an annotation that cannot be read
/// must not stop an application.
struct Annotations {
  std::vector<Annotation> found;
  /// Why annotations were rejected, each `PLACE: what is wrong: what was expected`; only the first
  /// `kMaximumReasons` of them.
  std::vector<std::string> reasons;
  size_t rejected = 0;
  std::string sourceHash; ///< hash of the container's content without its annotations

  static constexpr size_t kMaximumReasons = 16;
  void reject(const std::string &place, std::string_view why);
  /// Decodes the header of `text` and adds the annotation to `found`, or to the rejected ones if
  /// that fails.
  void add(std::string text, const std::string &place);
  /// The same for an annotation with a marker before it; it is rejected if this version of the
  /// marker cannot be read.
  void addMarked(const Marker &marker, std::string text, const std::string &place);
  /// Removes duplicates; keeps the first of each set of equal annotations.
  void dropEqual();
  /// Marks as stale each annotation whose marker names a container hash other than `sourceHash`.
  void markStale();
};

/// Makes an annotation from a profile. Throws as `encode`.
Annotation annotationOf(const profile::KernelProfile &profile);

/// Selects one profile per kernel and NDRange: the one with the most instructions, or the first of
/// those with equally many.
std::vector<const profile::KernelProfile *>
onePerLaunch(const std::vector<const profile::KernelProfile *> &profiles);

/// `added` together with the rewritable annotations of `old` whose launches are not in `added`,
/// ordered by kernel, then NDRange. If `old` has several for one launch, the first is kept.
std::vector<Annotation> replaced(const std::vector<Annotation> &old,
                                 const std::vector<Annotation> &added);

} // namespace aiwc::embed
