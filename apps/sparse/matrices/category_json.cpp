#include "common/error.h"
#include "sparse/category.h"
#include "text/json_reader.h"
#include "text/text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

namespace aiwc::sparse {

namespace {

using text::childPath;
using text::JsonMember;
using text::JsonValue;

constexpr uint64_t kSchemaVersion = 1;
constexpr size_t kMostNodes = 10'000;

class TreeReader : text::JsonReader {
public:
  TreeReader(std::string_view text, const std::string &file)
      : JsonReader(text, file, "a decision tree") {}

  CategoryTree read() const {
    const JsonValue &root = document().root();
    object(root, "");
    requireSchemaVersion(kSchemaVersion);
    for (const JsonMember &member : object(root, ""))
      if (member.key != "schema_version" && member.key != "nodes")
        unknown(member, "", "schema_version or nodes");
    const JsonValue &nodes = required(root, "", "nodes");
    const JsonValue::Array &rows = array(nodes, "nodes");
    if (rows.empty() || rows.size() > kMostNodes)
      document().fail(nodes,
                      fmt::format("nodes has {} nodes: expected 1 to {}", rows.size(), kMostNodes));
    CategoryTree tree;
    tree.nodes.clear();
    std::vector<size_t> parents(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::string path = fmt::format("nodes[{}]", i);
      tree.nodes.push_back(node(rows[i], path, i, rows.size()));
      const CategoryTree::Node &added = tree.nodes.back();
      if (added.leaf)
        continue;
      for (const size_t child : {added.left, added.right})
        if (++parents[child] > 1)
          document().fail(rows[i], fmt::format("{} leads to node {}, as another one does: expected "
                                               "one way to each node",
                                               path, child));
    }
    for (size_t i = 1; i < rows.size(); ++i)
      if (parents[i] == 0)
        document().fail(rows[i], fmt::format("no node leads to nodes[{}]: expected one", i));
    return tree;
  }

private:
  CategoryTree::Node node(const JsonValue &value, const std::string &path, size_t index,
                          size_t nodes) const {
    bool leaf = false;
    for (const JsonMember &member : object(value, path))
      leaf = leaf || member.key == "category";
    CategoryTree::Node result;
    result.leaf = leaf;
    for (const JsonMember &member : object(value, path))
      if (leaf ? member.key != "category"
               : member.key != "feature" && member.key != "threshold" && member.key != "left" &&
                     member.key != "right")
        unknown(member, path, leaf ? "category" : "feature, threshold, left and right");
    const auto at = [&](std::string_view key) -> const JsonValue & {
      return required(value, path, key);
    };
    if (leaf) {
      const std::string &word = text(at("category"), childPath(path, "category"));
      if (word != name(Category::kUniform) && word != name(Category::kSkewed))
        document().fail(at("category"),
                        fmt::format("{} is \"{}\": expected \"uniform\" or \"skewed\"",
                                    childPath(path, "category"), text::printable(word, 100)));
      result.category = word == name(Category::kUniform) ? Category::kUniform : Category::kSkewed;
      return result;
    }
    result.feature = feature(at("feature"), childPath(path, "feature"));
    result.threshold = number(at("threshold"), childPath(path, "threshold"));
    for (const auto &[key, child] :
         {std::pair("left", &result.left), std::pair("right", &result.right)}) {
      const uint64_t to = count(at(key), childPath(path, key));
      if (to <= index || to >= nodes)
        document().fail(at(key), fmt::format("{} is {}: expected a node behind this one, {} to {}",
                                             childPath(path, key), to, index + 1, nodes - 1));
      *child = to;
    }
    return result;
  }

  CategoryFeature feature(const JsonValue &value, const std::string &path) const {
    const std::string &word = text(value, path);
    std::string names;
    for (size_t i = 0; i < kCategoryFeatures; ++i) {
      const auto known = static_cast<CategoryFeature>(i);
      if (name(known) == word)
        return known;
      names += (i == 0 ? "" : ", ") + std::string(name(known));
    }
    document().fail(value, fmt::format("{} is \"{}\": expected one of {}", path,
                                       text::printable(word, 100), names));
  }

  double number(const JsonValue &value, const std::string &path) const {
    if (const auto *whole = std::get_if<uint64_t>(&value.value))
      return static_cast<double>(*whole);
    if (const auto *real = std::get_if<double>(&value.value); real && std::isfinite(*real))
      return *real;
    wrong(value, path, "a number");
  }
};

} // namespace

CategoryTree categoryTreeFromJson(std::string_view text, const std::string &file) {
  return TreeReader(text, file).read();
}

std::string toJson(const CategoryTree &tree) {
  using Json = nlohmann::ordered_json;
  Json json{{"schema_version", kSchemaVersion}, {"nodes", Json::array()}};
  for (const CategoryTree::Node &node : tree.nodes)
    json["nodes"].push_back(node.leaf ? Json{{"category", name(node.category)}}
                                      : Json{{"feature", name(node.feature)},
                                             {"threshold", node.threshold},
                                             {"left", node.left},
                                             {"right", node.right}});
  return json.dump(2) + "\n";
}

} // namespace aiwc::sparse
