#include "command_line/exit_status.h"

#include "command_line/output.h"

#include <exception>

namespace aiwc::command_line {

int exitStatusOf(const std::string &program, const std::function<void()> &work) {
  constexpr int kUnsatisfied = 1;
  constexpr int kFailure = 2;
  try {
    work();
    return 0;
  } catch (const Unsatisfied &error) {
    warn(error.what());
    return kUnsatisfied;
  } catch (const Error &error) {
    warn(error.what());
    return kFailure;
  } catch (const std::exception &error) {
    warn(program + ": " + error.what());
    return kFailure;
  }
}

} // namespace aiwc::command_line
