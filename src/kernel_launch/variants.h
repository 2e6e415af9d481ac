/// Variants of a kernel, which differ in their programs, in options of their launches or in the
/// values of macros: what `aiwc tune` compares.
#pragma once

#include "kernel_launch/command.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::kernel_launch {

/// A macro and the values that it is tried with: "TILE=8,16".
struct TuneParameter {
  std::string name;
  std::vector<std::string> values; ///< numbers or other words, each once
};
/// Throws Error for texts that are no list of values.
TuneParameter tuneParameterOf(const std::string &text);

/// A value for each parameter, in their order.
using Configuration = std::vector<std::string>;

/// The most combinations of values, before restrictions.
inline constexpr size_t kMostConfigurations = 100'000;

/// All combinations of values for which every restriction holds (sizes.h: `holds`), in which the
/// parameters' names stand for their values; the last parameter varies fastest. Throws Error for
/// restrictions that are none, for parameters of the same name, and for too many combinations.
std::vector<Configuration> configurationsOf(const std::vector<TuneParameter> &parameters,
                                            const std::vector<std::string> &restrictions);

/// "TILE=16,STEP=2"
std::string nameOf(const std::vector<TuneParameter> &parameters,
                   const Configuration &configuration);

/// The command with a configuration: the macros are added to the build options (-D TILE=16), and in
/// sizes, values of arguments and bytes of shared memory their names stand for the values.
Command commandFor(const Command &command, const std::vector<TuneParameter> &parameters,
                   const Configuration &configuration);

/// The command of a variant that has options of its own, "tiled.cl --global 256x1024 --local 16":
/// words as a shell splits them, a program and options of `aiwc kernel`, which replace those of
/// `common`; an --arg replaces the one of the same parameter. Throws Error for any other text.
Command variantOf(const Command &common, const std::string &text);

} // namespace aiwc::kernel_launch
