/// LLVM ends the process for some damaged bitcode.
#pragma once

namespace aiwc::lowering {

/// Has a failure of LLVM end the process with one line, `PROGRAM: error: ...`, and status 1.
/// `program` stays as long as the process.
void sayFailuresOfLlvm(const char *program);

} // namespace aiwc::lowering
