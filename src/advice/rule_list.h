/// The table of all rules: a line each, in the order in which they are tried. `AIWC_RULE(Name)`
/// stands for the value `Rule::kName` and for the definition `rule::kName` in the rule's own file.
#pragma once

#define AIWC_ALL_RULES(AIWC_RULE)                                                                  \
  AIWC_RULE(UncoalescedAccess)                                                                     \
  AIWC_RULE(UntiledReads)                                                                          \
  AIWC_RULE(MemorySums)                                                                            \
  AIWC_RULE(RepeatedLoads)                                                                         \
  AIWC_RULE(NarrowAccesses)                                                                        \
  AIWC_RULE(IdleLanes)                                                                             \
  AIWC_RULE(PartialLaneGroups)                                                                     \
  AIWC_RULE(FewWorkItems)                                                                          \
  AIWC_RULE(IdleWorkItems)                                                                         \
  AIWC_RULE(SerialLoop)                                                                            \
  AIWC_RULE(UnevenWorkGroups)                                                                      \
  AIWC_RULE(Occupancy)                                                                             \
  AIWC_RULE(TailEffect)                                                                            \
  AIWC_RULE(ContendedAtomics)                                                                      \
  AIWC_RULE(LaunchBound)                                                                           \
  AIWC_RULE(RoundTrips)                                                                            \
  AIWC_RULE(Transfers)                                                                             \
  AIWC_RULE(CacheTooSmall)                                                                         \
  AIWC_RULE(PowerOfTwoStrides)                                                                     \
  AIWC_RULE(AccidentalDouble)                                                                      \
  AIWC_RULE(DoublePrecision)                                                                       \
  AIWC_RULE(RepeatedWork)                                                                          \
  AIWC_RULE(ConstantPowers)                                                                        \
  AIWC_RULE(IntegerDivision)                                                                       \
  AIWC_RULE(WideIndices)                                                                           \
  AIWC_RULE(UnpredictableBranches)                                                                 \
  AIWC_RULE(PrivateArrays)                                                                         \
  AIWC_RULE(BankConflicts)                                                                         \
  AIWC_RULE(RegisterTiles)                                                                         \
  AIWC_RULE(RedundantBarriers)
