// The program `oclgrind`: the stock Oclgrind with our options. Without one of them it only runs the
// stock program.

#include "launcher/arguments.h"
#include "launcher/task.h"

#include <string>
#include <vector>

int main(int argc, char **argv) {
  using namespace aiwc::launcher;
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  endLike(statusOf([&] { return perform(taskOf(words, kOclgrind)); }));
}
