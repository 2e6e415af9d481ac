/// How the accesses of a kernel follow from the matrix: the laws that tell, of each place in the
/// source, whether it gathers at indices of the matrix or goes through an array in order.
#pragma once

#include "extrapolate/gather_model.h"
#include "extrapolate/pattern.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aiwc::extrapolate {

/// What is known of a launch on a sample before its accesses are.
struct AccessContext {
  bool byVisit = false;                   ///< a work-item takes a non-zero, a *visit*; else a row
  Quantity visited = Quantity::kNonZeros; ///< or those off the diagonal
  /// The non-zeros that are visited, rows, rows with a non-zero, and columns.
  uint64_t visits = 0, rows = 0, nonEmptyRows = 0, columns = 0;
  /// A loop that repeats atomic operations goes round once for the first access of one of these and
  /// twice for later ones: of non-empty rows, used columns or used nodes.
  std::optional<Quantity> firstAt = {};
  /// Whether an array that is gathered at one index of a visit is so at its row; else at its
  /// column.
  bool singlesByRow = false;
};

/// The accesses of one place in the source, and how many places gather from the same array.
struct Place {
  profile::AccessRow row;
  size_t gathersOfArray = 0;
};

/// In the order in which they are tried: the first law holds whose condition is met. n is the
/// number of accesses of the place, v that of visits, each of a row r and a column c; both are of
/// the sample. "n reaches v" and "n is the number" allow for 3 %, since profiles of sampled
/// work-groups are estimates.
///
/// - kBothNodes: a gather, where a work-item takes a visit; two places gather from the array, or n
///   is nearer to 2 v than to v (atomics that are repeated: first times are those of nodes).
///   Elements r and c are accessed, n / v times each; n / 2v of a single place.
/// - kRowNode: a gather, where a work-item takes a visit; and `singlesByRow` (atomics: first times
///   are those of rows). Element r is accessed n / v times.
/// - kColumnNode: any other gather. Element c is accessed n / v times.
/// - kNonZeros: n reaches v; in a loop, or a work-item takes a visit. The next element is accessed.
/// - kRows: n is the number of rows, or of those with a non-zero; work-items take rows; the address
///   is no data. The next element is accessed, once a row.
///
/// A gather is an access of global or constant memory whose address is data, and n reaches v.
enum class AccessLaw : uint8_t {
  kBothNodes,
  kRowNode,
  kColumnNode,
  kNonZeros,
  kRows,
  kNone, ///< nothing follows from the matrix
};
bool isGather(const profile::AccessRow &row, const AccessContext &context);
AccessLaw lawOf(const Place &place, const AccessContext &context);

/// An array that is gathered. Of each of its indices in use, `elements` addresses are accessed.
struct GatheredArray {
  std::string name;
  Quantity indices = Quantity::kUsedColumns; ///< as many are in use
  uint64_t span = 4;                         ///< bytes of an index
  uint64_t elements = 1;
  bool isRead = false, isWritten = false;
  bool operator==(const GatheredArray &) const = default;
};

/// The accesses of a launch by their laws.
struct Accesses {
  Traversal traversal;
  std::vector<GatheredArray> arrays; ///< of the traversal's gathers, by name
};
Accesses accessesOf(std::span<const profile::AccessRow> places, const AccessContext &context);

/// The places of the first table, a row for each, whatever the strides of its accesses; those of
/// the larger part are kept. Whether an address is data is known of the first and the last
/// work-items only, which may have empty rows; so the other samples' tables are asked, too, and a
/// loop without a stride that accesses more bytes than lie in its range gathers.
std::vector<profile::AccessRow>
placesOf(const std::vector<profile::AccessRow> &table,
         std::span<const std::vector<profile::AccessRow> *const> others);

} // namespace aiwc::extrapolate
