// Runs one pass at a time on IR.
//   PROGRAM FOLDER PASS        FOLDER/PASS/*.ll, the cases of the pass
//   PROGRAM FOLDER             whether each pass has a case
//   PROGRAM --print PASS FILE  what the pass makes of the module in FILE
//
// A case is a module, a line that begins with `; ==== `, and what the pass makes of the module:
//   ; ==== after                   the module that follows, in which names of values do not matter
//   ; ==== unchanged
//   ; ==== refused: MESSAGE
#pragma once

#include "lowering/pipeline.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace aiwc::test {

/// What cases write in braces, such as `{globalId}`, and the number that it stands for.
using CaseNumbers = std::map<std::string, uint64_t>;

/// Returns the exit status of the program.
int runPassCases(const std::vector<lowering::Pass> &passes, int argc, char **argv,
                 const CaseNumbers &numbers = {});

} // namespace aiwc::test
