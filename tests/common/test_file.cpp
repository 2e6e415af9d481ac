#include "common/file.h"
#include "common/write.h"
#include "support/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
namespace fs = std::filesystem;

TEST_CASE("a file is read whole, and what is none is refused by its name") {
  const TemporaryFolder folder;
  const fs::path file = folder / "a";
  const std::string bytes("a\0\r\n\xff", 5);
  write(file, bytes);
  CHECK(readFile(file, "five bytes") == bytes);
  CHECK(readFile(file, "five bytes", 5) == bytes);
  CHECK(errorOf([&] { readFile(file, "four bytes", 4); }) ==
        file.string() + ": has 5 bytes: expected four bytes of at most 4");
  CHECK(errorOf([&] { readFile(folder / "none", "a thing"); }) ==
        (folder / "none").string() +
            ": cannot be read: No such file or directory: expected a thing");
  CHECK(errorOf([&] { readFile(folder.path(), "a thing"); }) ==
        folder.path().string() + ": is not a regular file: expected a thing");
  CHECK(readFileIfAny(file) == bytes);
  CHECK_FALSE(readFileIfAny(folder / "none"));
}

TEST_CASE("a file is replaced at once, with its permissions, through links") {
  const TemporaryFolder folder;
  const fs::path file = folder / "k.cl";
  write(file, "old");
  REQUIRE(chmod(file.c_str(), 0640) == 0);
  fs::create_symlink("k.cl", folder / "link.cl");
  replaceFile(folder / "link.cl", "new");
  CHECK(contents(file) == "new");
  CHECK(fs::is_symlink(folder / "link.cl"));
  struct stat status {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0640);
  CHECK(folder.files() == 2); // nothing is left
  const fs::path lost = folder.path() / "none" / "k.cl";
  CHECK(errorOf([&] { replaceFile(lost, ""); }) ==
        lost.string() + ": cannot be written: No such file or directory");
  CHECK_THAT(errorOf([&] { replaceFile("/dev/null", ""); }), Contains("not a regular file"));
}

TEST_CASE("a file that was not there gets the permissions that the umask leaves") {
  const TemporaryFolder folder;
  const mode_t old = umask(0027);
  replaceFile(folder / "new", "text");
  umask(old);
  struct stat status {};
  REQUIRE(stat((folder / "new").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0640);
}

TEST_CASE("a new file takes a free name or the place of another, or goes away") {
  const TemporaryFolder folder;
  write(folder / "taken", "mine");
  {
    NewFile file(folder.path(), "text", "it fails");
    CHECK(folder.files() == 2);
    CHECK_FALSE(file.claim(folder / "taken"));
    CHECK(contents(folder / "taken") == "mine");
    CHECK(file.claim(folder / "free"));
    CHECK(folder.files() == 2);
    NewFile other(folder.path(), "text", "it fails");
    CHECK(errorOf([&] { other.replace(folder / "none" / "file"); }) ==
          "it fails: No such file or directory");
    other.replace(folder / "taken");
  }
  CHECK(contents(folder / "taken") == "text");
  CHECK(contents(folder / "free") == "text");
  CHECK(folder.files() == 2);
  NewFile(folder.path(), "text", "it fails");
  CHECK(folder.files() == 2);
}

TEST_CASE("a replaced file is overwritten by the next, unless somebody sees it") {
  const TemporaryFolder folder;
  const auto fileNumber = [](const std::filesystem::path &path) {
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status.st_ino;
  };
  const auto make = [&](const std::string &name, const std::string &text, SpareFile &spare) {
    NewFile file(folder.path(), text, "it fails", std::nullopt, &spare);
    CHECK(file.claim(folder / name));
    CHECK(contents(folder / name) == text);
  };
  const auto replace = [&](const std::string &name, const std::string &text, SpareFile &spare) {
    NewFile file(folder.path(), text, "it fails");
    file.replace(folder / name, &spare);
    CHECK(contents(folder / name) == text);
  };
  SpareFile spare;
  make("1", "one, and long", spare);
  const ino_t first = fileNumber(folder / "1");
  replace("1", "one again", spare);
  CHECK(folder.files() == 2);
  make("2", "two", spare);
  CHECK(fileNumber(folder / "2") == first);
  CHECK(folder.files() == 2);

  // A reader, another name, a child.
  const int reader = open((folder / "2").c_str(), O_RDONLY);
  replace("2", "two again", spare);
  make("3", "three", spare);
  char buffer[8] = {};
  CHECK(read(reader, buffer, sizeof buffer) == 3);
  CHECK(std::string(buffer) == "two");
  close(reader);
  CHECK(folder.files() == 3);
  std::filesystem::create_hard_link(folder / "3", folder / "kept");
  replace("3", "three again", spare);
  make("4", "four", spare);
  CHECK(contents(folder / "kept") == "three");
  replace("4", "four again", spare);
  CHECK(folder.files() == 6);
  const pid_t child = fork();
  if (child == 0) {
    spare.drop();
    _exit(0);
  }
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK(folder.files() == 6);
  spare.drop();
  CHECK(folder.files() == 5);
}

// The name that one has before goes to another thread as soon as it is free.
TEST_CASE("threads that write files into one folder do not remove each other's") {
  constexpr int kThreads = 4;
  constexpr int kEach = 200;
  const TemporaryFolder folder;
  std::vector<std::string> failures(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      failures[t] = errorOf([&] {
        for (int i = 0; i < kEach; ++i)
          replaceFile(folder.path() / std::to_string(t),
                      std::string(1000, 'x') + std::to_string(i));
      });
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(std::ranges::all_of(failures, &std::string::empty));
  CHECK(folder.files() == kThreads);
  for (int t = 0; t < kThreads; ++t)
    CHECK_THAT(contents(folder / std::to_string(t)), EndsWith("x" + std::to_string(kEach - 1)));
}

TEST_CASE("what a killed process has not finished is deleted, and nothing else") {
  const TemporaryFolder folder;
  const pid_t gone = fork();
  if (gone == 0)
    _exit(0);
  REQUIRE(waitpid(gone, nullptr, 0) == gone);
  const std::string mine = ".aiwc_" + std::to_string(getpid()) + "_0";
  write(folder / (".aiwc_" + std::to_string(gone) + "_12"), "part");
  write(folder / (".aiwc_" + std::to_string(gone) + "0_12"), "another's");
  write(folder / mine, "part");
  removeTemporaryFiles(folder.path(), gone);
  removeTemporaryFiles(folder.path(), getpid());
  removeTemporaryFiles(folder.path() / "none", gone);
  CHECK(folder.files() == 2);
  CHECK(contents(folder / mine) == "part");
}

TEST_CASE("a pipe is read to its end, and standard input is what it is") {
  const TemporaryFolder folder;
  const std::string pipe = (folder / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto throughPipe = [&](size_t bytes) {
    std::thread writer([&] { write(pipe, std::string(bytes, 'x')); });
    std::string error;
    std::string content;
    error = errorOf([&] { content = readFileOrPipe(pipe, "text", 200000); });
    writer.join();
    return error.empty() ? std::to_string(content.size()) : error;
  };
  CHECK(throughPipe(0) == "0");
  CHECK(throughPipe(200000) == "200000");
  CHECK(errorOf([&] { readFile(pipe, "text"); }) ==
        pipe + ": is not a regular file: expected text");
  CHECK(errorOf([&] { readFileOrPipe("/dev/zero", "text", 10); }) ==
        "/dev/zero: is neither a regular file nor a pipe: expected text");
}

TEST_CASE("a write that the system answers with a signal only fails") {
  static volatile std::sig_atomic_t signals = 0;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { signals = signals + 1; };
  REQUIRE(sigaction(SIGPIPE, &action, &before) == 0);
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  close(ends[0]);
  CHECK(writeAll(ends[1], "text") == EPIPE);
  CHECK(signals == 0);
  // A signal that waits for somebody else stays.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  raise(SIGPIPE);
  CHECK(writeAll(ends[1], "text") == EPIPE);
  CHECK(signals == 0);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  CHECK(signals == 1);
  close(ends[1]);
  sigaction(SIGPIPE, &before, nullptr);
}
