#include "inputs.h"

#include "common/error.h"
#include "common/file.h"
#include "profile/json.h"

#include <algorithm>
#include <cctype>
#include <system_error>

namespace aiwc::cli {

namespace {

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Compares names with the numbers in them ordered by value: aiwc_k_2 before aiwc_k_10.
bool naturalLess(std::string_view a, std::string_view b) {
  size_t i = 0;
  size_t k = 0;
  while (i < a.size() && k < b.size()) {
    if (!isDigit(a[i]) || !isDigit(b[k])) {
      if (a[i] != b[k])
        return a[i] < b[k];
      ++i, ++k;
      continue;
    }
    const auto digits = [](std::string_view text, size_t begin) {
      size_t end = begin;
      while (end < text.size() && isDigit(text[end]))
        ++end;
      return text.substr(begin, end - begin);
    };
    const std::string_view x = digits(a, i);
    const std::string_view y = digits(b, k);
    i += x.size(), k += y.size();
    const auto significant = [](std::string_view number) {
      return number.substr(std::min(number.find_first_not_of('0'), number.size()));
    };
    const std::string_view p = significant(x);
    const std::string_view q = significant(y);
    if (p != q)
      return p.size() != q.size() ? p.size() < q.size() : p < q;
  }
  // The names differ only in leading zeros, or one is the start of the other, so any consistent
  // order will do.
  return a.size() - i != b.size() - k ? a.size() - i < b.size() - k : a < b;
}

std::vector<std::string> filesOf(const std::filesystem::path &folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("aiwc_") && name.ends_with(".json") && !name.ends_with(".aiwc.json"))
      files.push_back(entry->path().string());
  }
  if (error)
    throw Error(withReason(folder.string() + ": cannot be read", error.value()));
  if (files.empty())
    throw Error(folder.string() + ": has no profiles: expected files aiwc_*.json in this folder");
  std::ranges::sort(files, naturalLess);
  return files;
}

} // namespace

bool isStandardInput(const std::string &argument) {
  return argument == "-" || argument == "/dev/stdin";
}

profile::KernelProfile readProfile(const std::string &argument) {
  constexpr std::string_view kExpected = "a JSON profile";
  if (!isStandardInput(argument))
    return profile::fromJson(readFileOrPipe(argument, kExpected, profile::kMaximumJsonBytes),
                             argument);
  const std::string name = "standard input";
  return profile::fromJson(readStandardInput(name, kExpected, profile::kMaximumJsonBytes), name);
}

std::vector<NamedProfile> readProfiles(const std::vector<std::string> &arguments) {
  std::vector<NamedProfile> profiles;
  for (const std::string &argument : arguments) {
    std::error_code ignored; // readProfile says what is wrong with it
    if (isStandardInput(argument) || !std::filesystem::is_directory(argument, ignored)) {
      profiles.push_back({argument, readProfile(argument)});
      continue;
    }
    for (const std::string &file : filesOf(argument))
      profiles.push_back({file, profile::readProfile(file), true});
  }
  return profiles;
}

std::string toJsonArray(const std::vector<NamedProfile> &profiles) {
  std::string text = "[\n";
  for (const NamedProfile &named : profiles) {
    if (text.size() > 2)
      text.insert(text.size() - 1, ",");
    text += profile::toJson(named.profile);
  }
  return text + "]\n";
}

void addDeviceFolders(CLI::App &command, std::vector<std::string> &folders) {
  command
      .add_option("--device-dir", folders,
                  "Folder of device profiles that replaces the default folders; may be repeated")
      ->type_name("DIR")
      ->expected(1)
      ->allow_extra_args(false) // or it would take what follows, profiles included
      ->take_all();
}

predict::DeviceLibrary loadDevices(const std::vector<std::string> &folders) {
  return predict::DeviceLibrary(predict::deviceFolders({folders.begin(), folders.end()}));
}

std::vector<predict::DeviceProfile> loadDevices(const std::vector<std::string> &folders,
                                                std::string_view ids) {
  const predict::DeviceLibrary library = loadDevices(folders);
  std::vector<predict::DeviceProfile> devices;
  for (const predict::DeviceProfile *device : library.select(ids))
    devices.push_back(*device);
  return devices;
}

} // namespace aiwc::cli
