#include "profile/json.h"
#include "profile/store.h"
#include "random_profile.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <functional>
#include <iterator>

using namespace aiwc::profile;
using namespace aiwc::test;

namespace {

/// What `action` returns, or the message of the Error that it throws, in a process of its own, so
/// that it may change limits and privileges.
std::string inChild(const std::function<std::string()> &action) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::string result;
    const std::string error = errorOf([&] { result = action(); });
    const std::string &said = error.empty() ? result : error;
    _exit(::write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  char buffer[512];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    said.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  return said;
}

std::string writeInto(const std::filesystem::path &folder) {
  return ProfileStore(folder).write(randomProfile(1)).string();
}

} // namespace

TEST_CASE("a folder that is missing or is none is named with the reason") {
  const TemporaryFolder folder;
  CHECK(errorOf([&] { writeInto(folder / "none"); }) ==
        (folder / "none").string() + ": the profile cannot be written: No such file or directory");
  write(folder / "file", "");
  CHECK(errorOf([&] { writeInto(folder / "file"); }) ==
        (folder / "file").string() + ": the profile cannot be written: Not a directory");
}

TEST_CASE("a folder that must not be written to is named with the reason") {
  const TemporaryFolder folder;
  REQUIRE(chmod(folder.path().c_str(), 0555) == 0);
  const std::string message = inChild([&] {
    // root may write anywhere
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
      return std::string("cannot drop privileges");
    return writeInto(folder.path());
  });
  CHECK(message == folder.path().string() + ": the profile cannot be written: Permission denied");
  CHECK(folder.files() == 0);
}

TEST_CASE("a write that is cut short leaves nothing, and says why") {
  const TemporaryFolder folder;
  const auto limited = [](rlim_t bytes, const std::function<std::string()> &action) {
    return inChild([&] {
      signal(SIGXFSZ, SIG_IGN); // write fails with EFBIG instead
      const rlimit limit{bytes, bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      return action();
    });
  };
  for (const rlim_t bytes : {rlim_t{0}, rlim_t{1}, rlim_t{100}, rlim_t{1000}}) {
    CHECK(limited(bytes, [&] { return writeInto(folder.path()); }) ==
          folder.path().string() + ": the profile cannot be written: File too large");
    CHECK(folder.files() == 0);
  }

  // A rewrite that fails keeps what was there.
  ProfileStore store(folder.path());
  const std::filesystem::path stored = store.write(randomProfile(1));
  const std::string message = limited(100, [&] {
    store.rewrite(stored, randomProfile(2));
    return std::string();
  });
  CHECK(message == folder.path().string() + ": the profile cannot be written: File too large");
  CHECK(contents(stored) == toJson(randomProfile(1)));
  CHECK(folder.files() == 1);
}

TEST_CASE("a full disk leaves nothing, and says why") {
  const TemporaryFolder folder;
  const std::string said = inChild([&] {
    // A file system of our own, of two pages, that goes away with this process.
    if (unshare(geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=8k") != 0)
      return std::string("no mount");
    const std::string message = errorOf([&] {
      for (int i = 0; i < 10; ++i) // the first may fit
        writeInto(folder.path());
    });
    for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().filename().string().starts_with('.'))
        return "left behind: " + entry.path().string();
    return message;
  });
  if (said == "no mount") {
    WARN("this system does not let the test mount a small file system");
    return;
  }
  CHECK(said ==
        folder.path().string() + ": the profile cannot be written: No space left on device");
}

TEST_CASE("a process that has no descriptor left writes all the same, and keeps those it has") {
  const TemporaryFolder folder;
  const std::string said = inChild([&] {
    const rlimit limit{3, 3}; // stdin, stdout and stderr
    setrlimit(RLIMIT_NOFILE, &limit);
    const std::string written = writeInto(folder.path());
    for (int file = 0; file < 3; ++file)
      if (fcntl(file, F_GETFD) < 0)
        return "closed " + std::to_string(file);
    return written;
  });
  CHECK(said.starts_with((folder / "aiwc_").string()));
  CHECK(folder.files() == 1);
}

TEST_CASE("a file system without hard links serves as well") {
  const TemporaryFolder folder;
  write(folder / "aiwc_k_0.json", "mine");
  const std::string said = inChild([&] {
    // link(2) and linkat(2) fail as they do on such a file system.
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
#ifdef SYS_link
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_link, 1, 0),
#else
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 1, 0),
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{std::size(filter), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      return std::string("no seccomp");
    if (link("/dev/null", (folder / "link").c_str()) == 0 || errno != EPERM)
      return std::string("link works");
    KernelProfile profile = randomProfile(1);
    profile.provenance.kernel = "k";
    ProfileStore store(folder.path());
    store.write(profile);
    return store.write(profile).filename().string();
  });
  if (said == "no seccomp") {
    WARN("this system does not let the test take link(2) away");
    return;
  }
  CHECK(said == "aiwc_k_2.json");
  CHECK(contents(folder / "aiwc_k_0.json") == "mine");
  CHECK(folder.files() == 1 + 2);
}
