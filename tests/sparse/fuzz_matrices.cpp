/// libFuzzer: any bytes as the file of a sparse matrix. Nothing but aiwc::Error may come out. What
/// was read is a matrix in compressed rows, and is the same without its values, when its lines are
/// laid out in another way, and when it was written and read again.
#include "round_trip.h"
#include "sparse/matrix.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>

namespace {

using namespace aiwc;
using sparse::Matrix;

/// A file in memory.
class File {
public:
  File() : descriptor_(memfd_create("matrix", 0)) { fuzz::require(descriptor_ >= 0); }
  ~File() { close(descriptor_); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  void write(std::string_view text) const {
    fuzz::require(ftruncate(descriptor_, 0) == 0 && pwrite(descriptor_, text.data(), text.size(),
                                                           0) == static_cast<ssize_t>(text.size()));
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

/// The matrix, or the number of the line that is wrong.
std::variant<std::string, Matrix> read(const File &file, bool values) {
  try {
    return sparse::readMatrix(file.path(), {.values = values});
  } catch (const Error &error) {
    const std::string text = error.what();
    const size_t begin = file.path().size();
    return text.substr(begin, text.find(':', begin + 1) - begin);
  }
}

void requireRows(const Matrix &matrix) {
  fuzz::require(matrix.rowBegins.size() == uint64_t{matrix.rows} + 1 &&
                matrix.rowBegins.front() == 0 && matrix.rowBegins.back() == matrix.nonZeros());
  fuzz::require(matrix.values.empty() || matrix.values.size() == matrix.columnOf.size());
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    fuzz::require(matrix.rowBegins[row] <= matrix.rowBegins[row + 1]);
    const auto columns = matrix.row(row);
    for (size_t i = 0; i < columns.size(); ++i)
      fuzz::require(columns[i] < matrix.columns && (i == 0 || columns[i - 1] < columns[i]));
  }
  for (const float value : matrix.values)
    fuzz::require(std::isfinite(value));
}

/// The same lines, as few files have them.
std::string unusual(std::string_view text) {
  std::string lines;
  for (const char c : text)
    lines += c == '\n' ? std::string(",\n") : std::string(1, c);
  return lines;
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const File file;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  file.write(text);
  const auto read1 = read(file, true);
  const Matrix *const matrix = std::get_if<Matrix>(&read1);
  constexpr uint32_t kLarge = 100'000; // rows that take seconds with the sanitizers
  if (matrix != nullptr && matrix->rows > kLarge)
    return 0;
  const auto pattern = read(file, false);
  if (!text.starts_with("\x1F\x8B")) { // compressed
    file.write(unusual(text));
    fuzz::require(read(file, true) == read1);
  }
  if (matrix == nullptr) {
    // Only the values of a pattern are not added up.
    fuzz::require(pattern == read1 || std::holds_alternative<Matrix>(pattern));
    return 0;
  }
  requireRows(*matrix);
  Matrix bare = *matrix;
  bare.values.clear();
  fuzz::require(std::get<Matrix>(pattern) == bare);
  file.write(sparse::matrixMarketText(*matrix));
  fuzz::require(std::get<Matrix>(read(file, true)) == *matrix);
  return 0;
}
