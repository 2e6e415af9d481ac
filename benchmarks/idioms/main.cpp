// aiwc-idioms: compares the idioms that profiles have with labels made by hand.

#include "common/error.h"
#include "common/file.h"
#include "profile/access_row.h"
#include "profile/json.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace aiwc;
using profile::Idiom;
using Idioms = std::set<Idiom>;

namespace {

struct Label {
  std::string set, kernel;
  Idioms idioms;
};

std::string text(const Idioms &idioms) {
  std::string result;
  for (const Idiom idiom : idioms)
    result += fmt::format("{}{}", result.empty() ? "" : " ", toString(idiom));
  return result;
}

/// The rows of `file`, `set,kernel,idioms`, of which idioms are separated by blanks.
std::vector<Label> readLabels(const std::string &file) {
  std::istringstream lines(readFile(file, "the labels"));
  std::vector<Label> labels;
  std::string line;
  std::getline(lines, line);
  for (size_t number = 2; std::getline(lines, line); ++number) {
    std::istringstream fields(line);
    Label label;
    std::string words;
    if (!std::getline(fields, label.set, ',') || !std::getline(fields, label.kernel, ',') ||
        !std::getline(fields, words))
      throw Error(fmt::format("{}:{}: {}: expected set,kernel,idioms", file, number, line));
    std::istringstream keys(words);
    for (std::string key; keys >> key;) {
      const auto idiom = profile::idiomOf(key);
      if (!idiom)
        throw Error(fmt::format("{}:{}: {}: expected an idiom", file, number, key));
      label.idioms.insert(*idiom);
    }
    labels.push_back(std::move(label));
  }
  return labels;
}

/// The idioms of each kernel, of all its launches together, in the profiles below `folder`. A
/// folder that has the name of a label holds the profiles of this label.
std::map<std::string, Idioms> readIdioms(const fs::path &folder) {
  std::map<std::string, Idioms> result;
  for (const auto &entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json" || !entry.path().stem().string().starts_with("aiwc_"))
      continue;
    const profile::KernelProfile profile = profile::readProfile(entry.path());
    if (!profile.accesses)
      throw Error(fmt::format("{}: no accesses: expected a profile of this version",
                              entry.path().string()));
    for (const std::string &name :
         {profile.provenance.kernel, entry.path().parent_path().filename().string()})
      for (const profile::AccessRow &row : *profile.accesses)
        if (row.idiom)
          result[name].insert(*row.idiom);
  }
  return result;
}

struct Score {
  size_t kernels = 0, right = 0;
  size_t labels = 0, found = 0, wrong = 0; ///< idioms: labelled, of them recognised, not labelled
};

int run(const std::string &labelFile, const std::string &folder, const std::string &onlySet,
        double least) {
  std::map<std::string, std::map<std::string, Idioms>> sets;
  std::map<std::string, Score> scores;
  fmt::print("set,kernel,labelled,recognised,right\n");
  for (const Label &label : readLabels(labelFile)) {
    if (!onlySet.empty() && label.set != onlySet)
      continue;
    if (!sets.contains(label.set))
      sets[label.set] = readIdioms(fs::path(folder) / label.set);
    const auto found = sets[label.set].find(label.kernel);
    if (found == sets[label.set].end())
      throw Error(fmt::format("{}: no profile of {}: expected one in {}/{}", labelFile,
                              label.kernel, folder, label.set));
    const Idioms &idioms = found->second;
    const bool right = idioms == label.idioms;
    Score &score = scores[label.set];
    ++score.kernels;
    score.right += right;
    score.labels += label.idioms.size();
    for (const Idiom idiom : idioms)
      ++(label.idioms.contains(idiom) ? score.found : score.wrong);
    fmt::print("{},{},{},{},{}\n", label.set, label.kernel, text(label.idioms), text(idioms),
               right ? 1 : 0);
  }
  bool enough = true;
  for (const auto &[set, score] : scores) {
    std::cerr << fmt::format("{}: {} of {} kernels have the idioms of their labels; {} of {} "
                             "labels were recognised, and {} idioms without a label\n",
                             set, score.right, score.kernels, score.found, score.labels,
                             score.wrong);
    enough =
        enough && static_cast<double>(score.right) >= least * static_cast<double>(score.kernels);
  }
  return enough ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Compares the idioms that profiles have with labels made by hand");
  std::string labels;
  std::string folder;
  std::string set;
  double least = 0;
  app.add_option("LABELS", labels, "CSV: set,kernel,idioms")->required();
  app.add_option("FOLDER", folder, "Folder with a folder of profiles per set")->required();
  app.add_option("--set", set, "Compare this set only");
  app.add_option("--least", least, "Fail if a smaller share of a set's kernels is right")
      ->check(CLI::Range(0.0, 1.0));
  CLI11_PARSE(app, argc, argv);
  try {
    return run(labels, folder, set, least);
  } catch (const std::exception &error) {
    std::cerr << "aiwc-idioms: " << error.what() << '\n';
    return 2;
  }
}
