#include "predict/device_library.h"

#include "common/close_words.h"
#include "common/error.h"
#include "predict/device_json.h"
#include "text/text.h"

#include <dirent.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace aiwc::predict {

namespace {

constexpr std::array<std::string_view, 5> kSigns = {"(r)", "(tm)", "(c)", "\xc2\xae",
                                                    "\xe2\x84\xa2"};

/// Words after a product's name that make it the name of another product.
constexpr std::array<std::string_view, 14> kQualifiers = {
    "ti",     "super",  "xt",  "xtx", "ghz edition", "max-q", "with max-q",
    "mobile", "laptop", "mig", "d",   "pro",         "max",   "ultra"};

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '_';
}

/// Whether a word ends, or begins, at `at`: an i5-2400 is no i5-2400S.
bool isBoundary(std::string_view text, size_t at) {
  return at == 0 || at >= text.size() || !isWordCharacter(text[at - 1]) ||
         !isWordCharacter(text[at]);
}

bool isQualified(std::string_view behind) {
  behind.remove_prefix(std::min(behind.find_first_not_of(' '), behind.size()));
  return std::ranges::any_of(kQualifiers, [&](std::string_view qualifier) {
    return behind.starts_with(qualifier) && isBoundary(behind, qualifier.size());
  });
}

std::string lowerCase(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// A name in normal form, without the differences between implementations: in lower case, without
/// trademark signs ("(R)", "(TM)", "(C)"), with one space for each run of spaces and underscores,
/// and no space at either end.
std::string plainName(std::string_view name) {
  const std::string lower = lowerCase(name);
  std::string result;
  for (std::string_view rest = lower; !rest.empty();) {
    const auto *sign =
        std::ranges::find_if(kSigns, [&](std::string_view mark) { return rest.starts_with(mark); });
    if (sign != kSigns.end()) {
      rest.remove_prefix(sign->size());
      continue;
    }
    if (!isSpace(rest.front()))
      result += rest.front();
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
    rest.remove_prefix(1);
  }
  if (result.ends_with(' '))
    result.pop_back();
  return result;
}

/// Whether `text`, an implementation's name for a device, refers to the device called `name`. Both
/// are in normal form. `name` must occur in `text` between word boundaries, and no word after it
/// may denote another product, as "Ti" does after GTX 1080, and "MIG" (part of a device) after
/// H100.
bool namesDevice(std::string_view text, std::string_view name) {
  if (name.empty())
    return false;
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (isBoundary(text, at) && isBoundary(text, end) && !isQualified(text.substr(end)))
      return true;
  }
  return false;
}

namespace fs = std::filesystem;

struct CloseFolder {
  void operator()(DIR *folder) const { closedir(folder); }
};

std::vector<fs::path> deviceFiles(const fs::path &folder) {
  // Does not use fs::directory_iterator: in GCC 12 it ends the process if memory runs out.
  std::vector<fs::path> files;
  const std::unique_ptr<DIR, CloseFolder> entries(opendir(folder.c_str()));
  errno = entries ? 0 : errno;
  while (const dirent *entry = entries ? readdir(entries.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(".json") && !name.starts_with("."))
      files.push_back(folder / name);
    errno = 0; // or what making the path left there would be taken for readdir's
  }
  if (const int error = errno; error != 0)
    throw Error(withReason(folder.string() + ": cannot be read", error) +
                ": expected a folder of device files");
  if (files.empty())
    throw Error(folder.string() + ": has no device files: expected files *.json in it");
  std::ranges::sort(files); // which of several bad files is reported does not depend on the disk
  return files;
}

/// Ids similar to `id`, closest first.
std::vector<std::string_view> closeIds(std::span<const DeviceProfile> devices,
                                       std::string_view id) {
  constexpr size_t kMost = 5;
  if (id.empty())
    return {};
  const std::string wanted = lowerCase(id);
  std::vector<std::pair<size_t, std::string_view>> close;
  for (const DeviceProfile &device : devices) {
    const size_t distance = editDistance(wanted, device.id);
    const bool part =
        wanted.size() >= 2 && (device.id.find(wanted) != std::string::npos ||
                               lowerCase(device.name).find(wanted) != std::string::npos);
    if (part || distance <= tolerableDistance(wanted.size()))
      close.emplace_back(part ? 0 : distance, device.id);
  }
  std::ranges::sort(close);
  close.resize(std::min(close.size(), kMost));
  std::vector<std::string_view> ids;
  ids.reserve(close.size());
  for (const auto &[distance, closeId] : close)
    ids.push_back(closeId);
  return ids;
}

/// The folders of the shipped devices, or those that take their place; none where there is none
/// and none is required.
std::vector<fs::path> shippedFolders(bool required) {
  if (const char *list = std::getenv("AIWC_DEVICES"); list && *list) {
    std::vector<fs::path> folders;
    for (const std::string &folder : text::split(list, ':'))
      if (!folder.empty())
        folders.emplace_back(folder);
    if (!folders.empty())
      return folders;
  }
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  fs::path beside;
  for (const char *from : {AIWC_DEVICES_BESIDE_TOOLS, AIWC_DEVICES_BESIDE}) {
    beside = (self.parent_path() / from).lexically_normal();
    if (!self.empty() && fs::is_directory(beside, error))
      return {beside};
  }
  if (fs::is_directory(AIWC_DEVICES_INSTALLED, error)) // for a program that was copied elsewhere
    return {AIWC_DEVICES_INSTALLED};
  if (!required)
    return {};
  throw Error(fmt::format("no folder of device files, neither {} nor {}: expected one there, or "
                          "its path in AIWC_DEVICES",
                          beside.string(), AIWC_DEVICES_INSTALLED));
}

} // namespace

std::vector<fs::path> deviceFolders(const std::vector<fs::path> &added) {
  std::vector<fs::path> folders = shippedFolders(added.empty());
  folders.insert(folders.end(), added.begin(), added.end());
  return folders;
}

DeviceLibrary::DeviceLibrary(const std::vector<fs::path> &folders) {
  for (const fs::path &folder : folders) {
    std::vector<std::pair<DeviceProfile, fs::path>> read;
    for (const fs::path &file : deviceFiles(folder))
      read.emplace_back(readDevice(file), file);
    for (const auto &[device, file] : read)
      remove(device.id);
    for (auto &[device, file] : read)
      add(std::move(device), file.string());
    std::error_code ignored;
    if (const fs::path references = folder / "automatch"; fs::is_directory(references, ignored))
      for (const fs::path &file : deviceFiles(references))
        unlisted_.push_back(readDevice(file));
  }
}

void DeviceLibrary::remove(std::string_view id) {
  const auto found = find(id);
  if (!found)
    return;
  devices_.erase(devices_.begin() + static_cast<std::ptrdiff_t>(*found));
  origins_.erase(origins_.begin() + static_cast<std::ptrdiff_t>(*found));
}

std::optional<size_t> DeviceLibrary::find(std::string_view id) const {
  const auto found = std::ranges::lower_bound(devices_, id, {}, &DeviceProfile::id);
  if (found != devices_.end() && found->id == id)
    return found - devices_.begin();
  for (size_t i = 0; i < devices_.size(); ++i)
    if (std::ranges::find(devices_[i].aliases, id) != devices_[i].aliases.end())
      return i;
  return std::nullopt;
}

void DeviceLibrary::add(DeviceProfile device, const std::string &origin) {
  std::vector<std::string> ids = device.aliases;
  ids.insert(ids.begin(), device.id);
  for (const std::string &id : ids)
    if (const auto other = find(id))
      throw Error(fmt::format("{}: id \"{}\" is also that of {}: expected every device once",
                              origin, id, origins_[*other]));
  const auto place = std::ranges::lower_bound(devices_, device.id, {}, &DeviceProfile::id);
  origins_.insert(origins_.begin() + (place - devices_.begin()), origin);
  devices_.insert(place, std::move(device));
}

const DeviceProfile &DeviceLibrary::operator[](std::string_view id) const {
  if (const auto found = find(id))
    return devices_[*found];
  if (const auto found = std::ranges::find(unlisted_, id, &DeviceProfile::id);
      found != unlisted_.end())
    return *found;
  const auto close = closeIds(devices_, id);
  throw Error(fmt::format("no device \"{}\": expected {}", text::printable(id, 60),
                          id.empty()      ? "ids with commas between them, and no blanks"
                          : close.empty() ? "an id that `aiwc devices list` shows"
                                          : fmt::format("{}", fmt::join(close, ", "))));
}

bool namesGroup(std::string_view devices) {
  return devices == "all" ||
         std::ranges::all_of(text::split(devices, ','), [](const std::string &name) {
           return deviceTypeOf(name).has_value();
         });
}

std::vector<const DeviceProfile *> DeviceLibrary::select(std::string_view devices) const {
  std::vector<const DeviceProfile *> selected;
  const std::vector<std::string> names = text::split(devices, ',');
  if (namesGroup(devices)) {
    for (const DeviceProfile &device : devices_)
      if (device.opencl &&
          (devices == "all" || std::ranges::find(names, toString(device.type)) != names.end()))
        selected.push_back(&device);
    if (selected.empty())
      throw Error(
          fmt::format("no device of type {}: expected one at least", fmt::join(names, " or ")));
    return selected;
  }
  for (const std::string &id : names) {
    const DeviceProfile &device = (*this)[id];
    if (std::ranges::find(selected, &device) != selected.end())
      throw Error(fmt::format("device \"{}\" is named twice: expected every device once", id));
    selected.push_back(&device);
  }
  return selected;
}

const DeviceProfile *DeviceLibrary::match(std::string_view openclName) const {
  const std::string wanted = plainName(openclName);
  const DeviceProfile *best = nullptr;
  size_t bestLength = 0;
  bool ambiguous = false;
  for (const DeviceProfile &device : devices_)
    for (const std::string &alias : device.openclNames) {
      const std::string name = plainName(alias);
      if (name.size() < bestLength || !namesDevice(wanted, name))
        continue;
      ambiguous = name.size() == bestLength && (ambiguous || best != &device);
      best = &device;
      bestLength = name.size();
    }
  return ambiguous ? nullptr : best;
}

} // namespace aiwc::predict
