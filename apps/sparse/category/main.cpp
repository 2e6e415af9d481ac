// aiwc-train-category: labels generated matrices with the sampling method whose sample has the lane
// utilisation of the whole more nearly, trains a decision tree to tell, and says how often it is
// right.

#include "common/error.h"
#include "common/file.h"
#include "sparse/category.h"
#include "sparse/grouping.h"
#include "sparse/random.h"
#include "sparse/sample.h"
#include "structures.h"
#include "tree.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

using namespace aiwc;
using namespace aiwc::sparse;

namespace {

/// The errors of what samples predict of a matrix, as shares of its lane utilisation.
struct Case {
  std::string name;
  Shape shape = Shape::kUniform;
  Labelled labelled;
  double utilisation = 0;
  double strideAverage = 0, randomTile = 0, randomEdge = 0;
  double of(Category category) const {
    return category == Category::kUniform ? strideAverage : randomTile;
  }
};

constexpr uint64_t kRepeats = 5; ///< of random methods, as in the paper

double error(const Matrix &whole, double utilisation, Method method, double fraction,
             uint64_t repeats) {
  double sum = 0;
  for (uint64_t seed = 1; seed <= repeats; ++seed) {
    const Sample part =
        sample(whole, {.method = method, .fraction = fraction, .seed = seed, .tile = 0});
    sum += std::abs(meanLaneUtilisation(part.matrix) - utilisation) / utilisation;
  }
  return sum / static_cast<double>(repeats);
}

Case observed(const TrainingStructure &structure, double fraction) {
  const Matrix whole = generate(structure.structure);
  Case result;
  result.name = structure.name;
  result.shape = structure.structure.shape;
  result.utilisation = meanLaneUtilisation(whole);
  result.strideAverage = error(whole, result.utilisation, Method::kStrideAverage, fraction, 1);
  result.randomTile = error(whole, result.utilisation, Method::kRandomTile, fraction, kRepeats);
  result.randomEdge = error(whole, result.utilisation, Method::kRandomEdge, fraction, kRepeats);
  result.labelled.features = categoryFeatures(whole, sampledClusteringCoefficient(whole));
  // The sample of squares is cheaper.
  result.labelled.category =
      result.strideAverage <= result.randomTile ? Category::kUniform : Category::kSkewed;
  return result;
}

std::vector<Case> observedAll(const std::vector<TrainingStructure> &structures, double fraction,
                              unsigned threads) {
  std::vector<Case> cases(structures.size());
  std::vector<std::jthread> others;
  for (unsigned thread = 0; thread < threads; ++thread)
    others.emplace_back([&, thread] {
      for (size_t i = thread; i < structures.size(); i += threads)
        cases[i] = observed(structures[i], fraction);
    });
  others.clear();
  return cases;
}

using FeatureSet = std::vector<CategoryFeature>;

struct NamedSet {
  std::string name;
  FeatureSet features;
};

/// The features of the paper's table I, and the same with the clustering coefficient, which the
/// published tree has.
std::vector<NamedSet> featureSets() {
  FeatureSet base(kCategoryFeatures - 1);
  for (size_t i = 0; i < base.size(); ++i)
    base[i] = static_cast<CategoryFeature>(i);
  FeatureSet clustering = base;
  clustering.push_back(CategoryFeature::kClustering);
  return {{"table I", base}, {"table I and clustering", clustering}};
}

/// What trees that did not see a matrix decide about it, by number of the matrix. `partOf`: the
/// part in which each is left out.
std::vector<Category> leftOut(const std::vector<Case> &cases, const std::vector<size_t> &partOf,
                              const FeatureSet &features, int depth) {
  std::vector<Category> decided(cases.size());
  const size_t parts = *std::max_element(partOf.begin(), partOf.end()) + 1;
  for (size_t part = 0; part < parts; ++part) {
    std::vector<Labelled> training;
    for (size_t i = 0; i < cases.size(); ++i)
      if (partOf[i] != part)
        training.push_back(cases[i].labelled);
    const CategoryTree tree = grownTree(training, features, depth);
    for (size_t i = 0; i < cases.size(); ++i)
      if (partOf[i] == part)
        decided[i] = decide(tree, cases[i].labelled.features).category;
  }
  return decided;
}

/// Random parts of the same size.
std::vector<size_t> folds(size_t count, size_t parts, Random &random) {
  std::vector<size_t> partOf(count);
  for (size_t i = 0; i < count; ++i)
    partOf[i] = i % parts;
  for (size_t i = count; i > 1; --i)
    std::swap(partOf[i - 1], partOf[random.below(i)]);
  return partOf;
}

struct Score {
  double wrong = 0;       ///< share of the matrices
  double utilisation = 0; ///< mean error of the lane utilisation by the methods that were decided
};

Score scoreOf(const std::vector<Case> &cases, const std::vector<Category> &decided) {
  Score score;
  const auto count = static_cast<double>(cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    score.wrong += (cases[i].labelled.category != decided[i] ? 1 : 0) / count;
    score.utilisation += cases[i].of(decided[i]) / count;
  }
  return score;
}

/// The mean over ten divisions into five parts.
Score crossValidated(const std::vector<Case> &cases, const FeatureSet &features, int depth) {
  constexpr int kDivisions = 10;
  Random random(1);
  Score mean;
  for (int i = 0; i < kDivisions; ++i) {
    const Score score =
        scoreOf(cases, leftOut(cases, folds(cases.size(), 5, random), features, depth));
    mean.wrong += score.wrong / kDivisions;
    mean.utilisation += score.utilisation / kDivisions;
  }
  return mean;
}

struct Options {
  uint64_t perShape = 18;
  uint64_t seed = 1;
  double fraction = 0.05;
  int depth = 3;
  unsigned threads = 2;
  std::string output;
  bool list = false;
};

std::string row(const Options &options, const std::vector<Case> &cases, const std::string &who,
                const std::string &depth, const std::string &leftOut, const Score &score) {
  return fmt::format("{},{},{},{},{},{:.1f},{:.2f}\n", who, depth, leftOut, cases.size(),
                     options.fraction, 100 * score.wrong, 100 * score.utilisation);
}

void train(const Options &options) {
  const std::vector<Case> cases = observedAll(trainingStructures(options.perShape, options.seed),
                                              options.fraction, options.threads);
  if (options.list)
    for (const Case &one : cases) {
      std::cerr << fmt::format("{:<40} {:<8} util {:.3f} sa {:.4f} rt {:.4f} re {:.4f}", one.name,
                               name(one.labelled.category), one.utilisation, one.strideAverage,
                               one.randomTile, one.randomEdge);
      std::cerr << fmt::format(" clustering {:.3f}\n",
                               one.labelled.features[CategoryFeature::kClustering]);
    }
  std::string text = "decided_by,depth,left_out,matrices,fraction,wrong_percent,"
                     "utilisation_error_percent\n";
  std::vector<Category> labels;
  double edges = 0;
  for (const Case &one : cases) {
    labels.push_back(one.labelled.category);
    edges += one.randomEdge / static_cast<double>(cases.size());
  }
  const std::vector<Category> uniform(cases.size(), Category::kUniform);
  const std::vector<Category> skewed(cases.size(), Category::kSkewed);
  text += row(options, cases, "always stride-average", "", "", scoreOf(cases, uniform));
  text += row(options, cases, "always random-tile", "", "", scoreOf(cases, skewed));
  text += row(options, cases, "the better one", "", "", scoreOf(cases, labels));
  text += fmt::format("random-edge,,,{},{},,{:.2f}\n", cases.size(), options.fraction, 100 * edges);
  std::vector<size_t> byShape;
  for (const Case &one : cases)
    byShape.push_back(static_cast<size_t>(one.shape));
  for (const NamedSet &set : featureSets())
    for (const int depth : {2, 3, 4, 6}) {
      const std::string name = std::to_string(depth);
      text += row(options, cases, set.name, name, "a fifth",
                  crossValidated(cases, set.features, depth));
      text += row(options, cases, set.name, name, "a structure",
                  scoreOf(cases, leftOut(cases, byShape, set.features, depth)));
    }
  std::vector<Labelled> all;
  for (const Case &one : cases)
    all.push_back(one.labelled);
  const CategoryTree tree = grownTree(all, featureSets().back().features, options.depth);
  std::vector<Category> seen;
  for (const Case &one : cases)
    seen.push_back(decide(tree, one.labelled.features).category);
  text += row(options, cases, "the published tree", std::to_string(options.depth), "nothing",
              scoreOf(cases, seen));
  if (!options.output.empty())
    replaceFile(options.output, toJson(tree));
  std::cout << text;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Trains the decision tree that tells uniform matrices from skewed ones, and prints "
               "how often trees are wrong about matrices that they did not see");
  app.add_option("--per-shape", options.perShape, "Matrices of each structure")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of the parameters of the matrices")
      ->capture_default_str();
  app.add_option("--fraction", options.fraction, "Of the samples")->capture_default_str();
  app.add_option("--depth", options.depth, "Most questions on a way through the tree")
      ->check(CLI::Range(1, 20))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Matrices at a time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("-o,--output", options.output, "Write the tree to this file");
  app.add_flag("--list", options.list, "Print each matrix on standard error");
  CLI11_PARSE(app, argc, argv);
  try {
    train(options);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "aiwc-train-category: " << error.what() << '\n';
    return 2;
  }
}
