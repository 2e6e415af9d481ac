#include "profile/access_row.h"
#include "text/json_text.h"
#include "text/text.h"
#include "views/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace aiwc::views {

using namespace profile;

namespace {

using Cells = std::vector<std::string>;

std::string lineText(uint64_t line) {
  return line == 0 ? "-" : fmt::format("{}", line);
}

std::string strideText(const std::optional<int64_t> &stride) {
  return stride ? fmt::format("{}", *stride) : "-";
}

std::string arrayText(const std::string &array) {
  return array.empty() ? "?" : text::printable(array, 60);
}

std::string instanceTable(const std::vector<AccessRow> &accesses, const text::Terminal &terminal) {
  const std::vector<IdiomInstance> instances = idiomInstances(accesses);
  if (instances.empty())
    return "  no idioms\n";
  std::vector<Cells> rows = {
      {"idiom", "function", "loop at line", "bytes", "local bytes", "footprint", "arrays"}};
  for (const IdiomInstance &instance : instances) {
    std::string arrays;
    for (const std::string &array : instance.arrays)
      arrays += (arrays.empty() ? "" : ", ") + arrayText(array);
    rows.push_back({std::string(toString(instance.idiom)), arrayText(instance.function),
                    lineText(instance.loop), text::formatBytes(instance.bytes),
                    text::formatBytes(instance.localBytes), text::formatBytes(instance.footprint),
                    arrays.empty() ? "?" : arrays});
  }
  return text::textTable(rows, {true, true, false, false, false, false, true},
                         {.indent = "  ", .names = {1, 6}, .terminal = terminal});
}

std::string accessTable(std::vector<AccessRow> accesses, const text::Terminal &terminal) {
  std::ranges::stable_sort(accesses, {},
                           [](const AccessRow &row) { return std::tie(row.line, row.function); });
  std::vector<Cells> rows = {{"line", "loop", "array", "memory", "kind", "accesses", "footprint",
                              "lane stride", "loop stride", "address", "idiom"}};
  for (const AccessRow &row : accesses)
    rows.push_back({lineText(row.line), lineText(row.loop), arrayText(row.array),
                    std::string(toString(row.space)), std::string(toString(row.kind)),
                    text::formatReadable(row.accesses), text::formatBytes(row.footprint),
                    strideText(row.laneStride), strideText(row.loopStride),
                    row.dataDependent ? "data" : "affine",
                    row.idiom ? std::string(toString(*row.idiom)) : "-"});
  return text::textTable(rows,
                         {false, false, true, true, true, false, false, false, false, true, true},
                         {.indent = "  ", .names = {2}, .terminal = terminal});
}

} // namespace

std::string idiomTable(const KernelProfile &profile, const text::Terminal &terminal) {
  if (!profile.accesses)
    return "  idioms are not known: the profile is embedded or scaled\n";
  if (profile.accesses->empty())
    return "  no accesses to global, constant or local memory\n";
  return instanceTable(*profile.accesses, terminal) + "\n" +
         accessTable(*profile.accesses, terminal);
}

std::string idiomJson(const KernelProfile &profile, size_t indent) {
  using text::JsonList;
  std::string text;
  JsonList object(text, JsonList::Kind::kObject, indent);
  if (profile.accesses) {
    JsonList rows(object.next("idioms"), JsonList::Kind::kArray, indent + 2);
    for (const IdiomInstance &instance : idiomInstances(*profile.accesses)) {
      JsonList row(rows.next(), JsonList::Kind::kObject);
      row.member("idiom", toString(instance.idiom));
      row.member("function", instance.function);
      row.member("loop", instance.loop);
      row.texts("arrays", instance.arrays);
      row.member("bytes", instance.bytes);
      row.member("local_bytes", instance.localBytes);
      row.member("footprint", instance.footprint);
      row.close();
    }
    rows.close();
  } else {
    object.next("idioms") += "null";
  }
  object.next("accesses") +=
      profile.accesses ? accessesJson(*profile.accesses, indent + 2) : "null";
  object.close();
  return text;
}

} // namespace aiwc::views
