// Idioms of the reference kernels and of loop nests of numerical codes, against labels made by hand
// from their sources: tests/idioms/labels.csv.

#include "kernels/reference.h"
#include "profile/access_row.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <sstream>

using namespace aiwc::test;
using aiwc::profile::AccessRow;
using aiwc::profile::Idiom;
using aiwc::profile::KernelProfile;

namespace {

struct Label {
  std::string kernel, idioms;
};

std::vector<Label> labelsOf(const std::string &set) {
  std::ifstream file(std::string(AIWC_TEST_IDIOMS) + "/labels.csv");
  std::vector<Label> labels;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string ofSet;
    Label label;
    std::getline(fields, ofSet, ',');
    std::getline(fields, label.kernel, ',');
    std::getline(fields, label.idioms);
    if (ofSet == set)
      labels.push_back(label);
  }
  return labels;
}

std::string idiomsOf(const KernelProfile &profile) {
  REQUIRE(profile.accesses);
  std::string text;
  std::set<Idiom> idioms;
  for (const AccessRow &row : *profile.accesses)
    if (row.idiom)
      idioms.insert(*row.idiom);
  for (const Idiom idiom : idioms)
    text += (text.empty() ? "" : " ") + std::string(toString(idiom));
  return text;
}

KernelProfile loopNest(const std::string &name, const SimulationOptions &options = {}) {
  const auto profiles =
      simulate(std::filesystem::path(AIWC_TEST_IDIOMS) / (name + ".sim"), options);
  REQUIRE(profiles.size() == 1);
  return profiles[0];
}

/// The only row of this array and kind.
AccessRow rowOf(const KernelProfile &profile, const std::string &array, const std::string &kind) {
  std::vector<AccessRow> rows;
  for (const AccessRow &row : *profile.accesses)
    if (row.array == array && toString(row.kind) == kind)
      rows.push_back(row);
  INFO(array);
  REQUIRE(rows.size() == 1);
  return rows[0];
}

} // namespace

TEST_CASE("every reference kernel has the idioms of its label") {
  const std::vector<Label> labels = labelsOf("kernels");
  CHECK(labels.size() == referenceKernels().size());
  for (const Label &label : labels) {
    CAPTURE(label.kernel);
    CHECK(idiomsOf(referenceProfile(label.kernel)) == label.idioms);
  }
}

TEST_CASE("loop nests have the idioms of their labels") {
  const std::vector<Label> labels = labelsOf("loops");
  CHECK(labels.size() > 30);
  for (const Label &label : labels) {
    CAPTURE(label.kernel);
    // The compiler moves the mean of a column out of the loop that is labelled.
    CHECK(idiomsOf(loopNest(label.kernel)) ==
          (label.kernel == "column_deviation" ? "stream reduction" : label.idioms));
  }
}

TEST_CASE("rows tell line, loop, array, strides and footprint of each access") {
  constexpr uint64_t n = 8; // of matmul_naive: n x n, groups of 4 x 4
  const KernelProfile &product = referenceProfile("matmul_naive");
  const AccessRow a = rowOf(product, "a", "read"), b = rowOf(product, "b", "read"),
                  c = rowOf(product, "c", "write");
  CHECK(a.function == "matmul_naive");
  CHECK(a.line == 11);
  CHECK(a.loop == 10);
  CHECK(a.accesses == n * n * n);
  CHECK(a.bytes == 4 * n * n * n);
  CHECK(a.footprint == 4 * n * n);
  CHECK(a.laneStride == 0); // work-items of a row read the same element
  CHECK(a.loopStride == 4);
  CHECK(b.laneStride == 4);
  CHECK(b.loopStride == 4 * n);
  CHECK(c.line == 12);
  CHECK(c.loop == 0);
  CHECK_FALSE(c.loopStride);
  CHECK(c.accesses == n * n);

  const KernelProfile &gather = referenceProfile("gather");
  CHECK(rowOf(gather, "in", "read").dataDependent);
  CHECK_FALSE(rowOf(gather, "index", "read").dataDependent);
}

TEST_CASE("idioms of sampled work-groups are those of all, with counts that are scaled") {
  SimulationOptions options;
  options.environment = {{"AIWC_SAMPLE_GROUPS", "2"}};
  const KernelProfile all = loopNest("triad"), sampled = loopNest("triad", options);
  REQUIRE(sampled.provenance.sampledGroups == 2);
  CHECK(idiomsOf(sampled) == idiomsOf(all));
  CHECK(rowOf(sampled, "a", "read").bytes == rowOf(all, "a", "read").bytes);
  CHECK(rowOf(sampled, "a", "read").laneStride == 4);
}

TEST_CASE("idioms do not depend on the number of threads", "[compiled]") {
  for (const unsigned threads : {1U, 3U}) {
    SimulationOptions options;
    options.compiled = true;
    options.threads = threads;
    for (const char *name : {"gemm", "jacobi2d", "spmv", "sum_of_pairs"}) {
      CAPTURE(name, threads);
      CHECK(loopNest(name, options).accesses == loopNest(name).accesses);
    }
  }
}
