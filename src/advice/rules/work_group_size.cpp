#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
const Definition kWorkGroupSize = {
    RuleInfo{Rule::kWorkGroupSize, "work-group-size", "A local size that is not the best",
             "Another local size was characterised, and is predicted to be faster."},
    nullptr};

} // namespace aiwc::advice::rule
