/// What carriers hold and hand out: profiles in compact form, each for a kernel and an NDRange. A
/// carrier (carrier.h) knows where in a file they stand and how they are delimited.
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
  Launch launch;
  std::string sourceHash; ///< of the source that was characterised
  std::string text;       ///< the compact form
  std::string place;      ///< where it stands, for messages: "line 12"
  /// Whether the carrier's source is another one now than was characterised, as far as the carrier
  /// can tell.
  bool stale = false;
  /// Of what it was put into, without annotations, where the carrier keeps that beside the
  /// source's.
  std::string carrierHash = {};

  /// Throws Error, `place: ...`, where the text is damaged: that is found out no earlier.
  profile::KernelProfile profile() const;
  /// The same; none where the text is damaged. `damage`, where it is empty, becomes the reason.
  std::optional<profile::KernelProfile> profileIfIntact(std::string &damage) const;
  /// Whether the text is not damaged.
  bool intact() const;
  /// Whether it may be written again: neither stale, which it would be in the new file as well, nor
  /// damaged, when lines of it may read as the carrier's own.
  bool rewritable() const;
};

/// What was found in a carrier. Never an error: an annotation that cannot be read must not stop an
/// application.
struct Annotations {
  std::vector<Annotation> found;
  /// Why others were passed over, each `PLACE: what is wrong: what was expected`; the first
  /// `kMaximumReasons` of `rejected`.
  std::vector<std::string> reasons;
  size_t rejected = 0;
  std::string sourceHash; ///< of what carries them, without them

  static constexpr size_t kMaximumReasons = 16;
  void reject(const std::string &place, std::string_view why);
  /// Reads the begin of `text` and adds it to `found`, or to the rejected.
  void add(std::string text, const std::string &place);
  /// The same for one with a marker in front, if that has a version that can be read.
  void addMarked(const Marker &marker, std::string text, const std::string &place);
  /// Keeps the first of those that say the same.
  void dropEqual();
  /// Marks what was put into something else than `sourceHash`, as far as markers tell.
  void markStale();
};

/// The annotation of a profile. Throws as `encode`.
Annotation annotationOf(const profile::KernelProfile &profile);

/// One profile per kernel and NDRange: of those that differ in neither, the one with the most
/// instructions, and of equal ones the first.
std::vector<const profile::KernelProfile *>
onePerLaunch(const std::vector<const profile::KernelProfile *> &profiles);

/// What is rewritable of `old` and has no launch that is among `added`, and `added`: by kernel,
/// then NDRange. Of several in `old` for one launch the first.
std::vector<Annotation> replaced(const std::vector<Annotation> &old,
                                 const std::vector<Annotation> &added);

} // namespace aiwc::embed
