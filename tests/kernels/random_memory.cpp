// Random kernels whose point is memory: what work-items and groups leave for each other, at
// addresses that coincide, overlap or follow one another.

#include "kernels/random_expressions.h"
#include "kernels/random_kernel.h"

#include <iterator>
#include <string>
#include <vector>

namespace aiwc::test {
namespace {

/// What a work-item may access alone, in bytes; the buffers have two more of these.
constexpr unsigned kSlice = 32;

struct Element {
  const char *type;
  unsigned bytes;
};
constexpr Element kElements[] = {{"uchar", 1}, {"ushort", 2}, {"uint", 4},
                                 {"ulong", 8}, {"uint2", 8},  {"uint4", 16}};
constexpr size_t kScalars = 4; // of them, the first

std::string text(uint64_t number) {
  return std::to_string(number);
}

class MemoryWriter {
public:
  MemoryWriter(uint64_t seed, bool hasGenericPointers)
      : random_(seed ^ (hasGenericPointers ? 0x67656e65726963 : 0x6d656d6f7279)),
        hasGenericPointers_(hasGenericPointers) {}

  RandomKernel write(uint64_t seed) {
    constexpr unsigned kShapes[][2][2] = {
        {{64, 1}, {16, 1}}, {{96, 1}, {24, 1}}, {{40, 1}, {20, 1}}, {{64, 1}, {64, 1}},
        {{48, 1}, {8, 1}},  {{32, 2}, {8, 2}},  {{8, 12}, {8, 3}},  {{256, 1}, {8, 1}}};
    RandomKernel kernel;
    kernel.name = (hasGenericPointers_ ? "random_generic_" : "random_memory_") + text(seed);
    const auto &shape = kShapes[random_.below(std::size(kShapes))];
    for (unsigned d = 0; d < 2; ++d) {
      kernel.global[d] = shape[0][d];
      kernel.local[d] = shape[1][d];
    }
    items_ = kernel.global[0] * kernel.global[1];
    group_ = kernel.local[0] * kernel.local[1];
    writer_ = random_.below(items_ / group_);
    kernel.isRaceFree = isFree_ = random_.oneIn(3);
    kernel.arguments =
        random_.pick(isFree_ ? std::vector<std::string>{"same", "apart"}
                             : std::vector<std::string>{"same", "apart", "128", "256", "384"});
    hasAtomics_ = random_.oneIn(4);
    const bool hasBarriers = random_.oneIn(2);
    std::string body = statements(1, {.isUniform = hasBarriers}, 3 + random_.below(5));
    body += statements(1, {.mayReturn = true}, random_.below(5)); // behind the last barrier
    const std::string suffix = text(seed);
    kernel.source =
        "uint folded_" + suffix + "(uint4 v) { return v.x ^ v.y * 3u ^ v.z * 5u ^ v.w * 7u; }\n" +
        (hasGenericPointers_ ? "__attribute__((noinline)) uint taken_" + suffix +
                                   "(uint *p, uint by) {\n  uint old = *p;\n  *p = old * 5u + by;\n"
                                   "  return old;\n}\n"
                             : "") +
        "kernel void " + kernel.name +
        "(global uchar *a, global uchar *b, global uint *c, global ulong *bounds, "
        "global const uint *in, global int *counts, local uint *tile) {\n"
        "  const uint n = get_global_size(0) * get_global_size(1);\n"
        "  const uint g = get_global_id(0) + get_global_size(0) * get_global_id(1);\n"
        "  const uint l = get_local_id(0) + get_local_size(0) * get_local_id(1);\n"
        "  const uint groups = get_num_groups(0) * get_num_groups(1);\n"
        "  const uint group = get_group_id(0) + get_num_groups(0) * get_group_id(1);\n"
        "  uint u0 = in[g] * 2654435761u, u1 = g + 3; ulong w0 = u0 * 4294967311ul;\n"
        "  tile[l] = u0;\n" +
        (waitsForOthers_ ? bounds() : "") + body +
        "  c[g] = u0 + u1 * 3u + (uint)w0 + (uint)(w0 >> 32);\n}\n";
    for (size_t at = 0; (at = kernel.source.find('@', at)) != std::string::npos;)
      kernel.source.replace(at, 1, suffix);
    return kernel;
  }

private:
  /// Of the place of a statement.
  struct Place {
    bool isUniform = false; ///< every work-item of the group gets there, equally often
    bool mayReturn = false; ///< no barrier follows
    bool isInLoop = false;
  };

  std::string number(uint64_t bound) { return text(random_.below(bound)); }

  std::string value() {
    return random_.pick({"u0", "u1", "(uint)w0", "g", "(u0 * 3u + 1u)", "(u0 ^ (uint)(w0 >> 7))",
                         "rotate(u0, 5u)", "(u0 % 11u)", "(u1 / 7u)", "popcount(u0)",
                         "((u0 & 3u) == 0 ? g : u1)", "(in[g] + " + number(100) + ")",
                         "(u1 << (u0 & 7u))"});
  }

  std::string condition() {
    return random_.pick({"(g & 1) == 0", "l < 8", "g + 3 < n", "(in[g] & 3u) == 1", "(u0 & 7u) > 2",
                         "n > 4", "group != 1", "u0 % 4 == 0", "(u1 & 31u) != g"});
  }

  /// The index of an element of so many bytes that the kernel may access.
  std::string index(unsigned bytes) {
    const unsigned inSlice = kSlice / bytes;
    if (isFree_)
      return "g * " + text(inSlice) + " + " + number(inSlice);
    const std::string all = text((items_ + 2) * inSlice);
    const std::string stride = text(1 + random_.below(inSlice));
    return random_.pick({"g", "g", "g + " + number(4), "g * " + stride,
                         "g * " + text(inSlice) + " + " + number(inSlice), "2 * g + 1", "g / 2",
                         "g & ~3u", "n - 1 - g", "(g ^ 1)", "(g * 3 + " + number(9) + ") % " + all,
                         "(u0 & 15u)", "l", "group", "(group * " + text(group_) + " + l) % " + all,
                         number(8)});
  }

  std::string buffer() { return random_.pick({"a", "a", "b"}); }

  std::string at(const Element &element, const std::string &in, const std::string &where) {
    return "((global any_" + std::string(element.type) + " *)" + in + ")[" + where + "]";
  }

  std::string converted(const Element &element) {
    const std::string type = element.type;
    if (type == "uint2")
      return "(uint2)(" + value() + ", u1)";
    if (type == "uint4")
      return "(uint4)(" + value() + ", u1, g, u0)";
    return "(" + type + ")(" + value() + ")";
  }

  std::string store(const Element &element, const std::string &in, const std::string &where) {
    return at(element, in, where) + " = " + converted(element) + ";";
  }

  std::string store() {
    const Element &element = kElements[random_.below(std::size(kElements))];
    return store(element, buffer(), index(element.bytes));
  }

  std::string load() {
    const Element &element = kElements[random_.below(std::size(kElements))];
    const std::string from = at(element, buffer(), index(element.bytes));
    const std::string type = element.type;
    if (type == "uint4")
      return "u0 ^= folded_@(" + from + ");";
    if (type == "uint2")
      return "u1 += folded_@((uint4)(" + from + ", 1u, 2u));";
    return random_.pick({"u0 += ", "u1 ^= ", "w0 += "}) + from + ";";
  }

  /// Two rows of elements, one work-item's beside the next one's, and one of elements of twice the
  /// size that is where eight work-items have both rows; in any order.
  std::string overlappingRows() {
    const size_t narrow = random_.below(kScalars - 1);
    const Element &one = kElements[narrow], &both = kElements[narrow + 1];
    const std::string in = buffer(), other = random_.oneIn(3) ? buffer() : in;
    const uint64_t begin = 2 * random_.below(5);
    const std::string eight = random_.pick({"g", "2 * (g & ~7u) + (g & 7u)"});
    const auto from = [](const std::string &where, uint64_t first) {
      return where + " + " + text(first);
    };
    std::vector<std::string> stores = {store(one, in, from(eight, begin)),
                                       store(one, other, from(eight, begin + 8)),
                                       store(both, in, from("g", begin / 2))};
    if (random_.oneIn(2))
      stores.push_back("u1 ^= (uint)" + at(one, other, from(eight, begin + random_.below(9))) +
                       ";");
    return random_.oneIn(2) ? stores[0] + " " + stores[1] + " " + stores[2] : shuffled(stores);
  }

  /// Two elements, and one of twice the size in their place, or beside them by one; in any order.
  std::string overlapping() {
    if (!isFree_ && random_.oneIn(3))
      return overlappingRows();
    const size_t narrow = random_.below(kScalars - 1);
    const Element &one = kElements[narrow], &both = kElements[narrow + 1];
    const std::string in = buffer();
    const unsigned inSlice = kSlice / both.bytes;
    const std::string pair =
        isFree_
            ? "(g * " + text(inSlice) + " + " + number(inSlice - 1) + ")"
            : random_.pick({"g", "(g + 1)", "(g * " + text(inSlice) + ")", "(g / 2)", "(n - g)"});
    std::vector<std::string> stores = {store(one, in, "2 * " + pair),
                                       store(one, in, "2 * " + pair + " + 1")};
    stores.push_back(random_.oneIn(3) ? "vstore2((" + std::string(one.type) + "2)(" + value() +
                                            ", u1), 0, (global " + one.type + " *)" + in +
                                            " + 2 * " + pair + " + 1);"
                                      : store(both, in, pair));
    if (random_.oneIn(2))
      stores.push_back("u0 ^= (uint)" +
                       (random_.oneIn(2) ? at(one, in, "2 * " + pair) : at(both, in, pair)) + ";");
    return shuffled(stores);
  }

  std::string asUnion() {
    const std::string word = "((global word *)" + buffer() + ")[" + index(8) + "]";
    const std::vector<std::string> stores = {word + ".w = w0 + u1;",
                                             word + ".h[" + number(2) + "] = " + value() + ";",
                                             word + ".q[" + number(4) + "] = (ushort)u0;",
                                             word + ".b[" + number(8) + "] = (uchar)u1;",
                                             "u0 += " + word + ".h[1];",
                                             "u1 ^= " + word + ".b[" + number(8) + "];"};
    std::vector<std::string> some;
    for (unsigned i = 0, count = 2 + static_cast<unsigned>(random_.below(3)); i < count; ++i)
      some.push_back(stores[random_.below(stores.size())]);
    return shuffled(some);
  }

  /// A row of elements, one work-item's beside, over, or apart from the next one's.
  std::string row() {
    const Element &element = kElements[random_.below(3)];
    const unsigned count = static_cast<unsigned>(std::vector{2, 3, 4, 8}[random_.below(4)]);
    const unsigned inSlice = kSlice / element.bytes;
    const std::string type = element.type, width = text(count);
    const std::string start =
        isFree_ ? "g * " + text(inSlice)
                : "g * " + text(std::vector{count - 1, count, std::min(count + 1, inSlice),
                                            1u}[random_.below(4)]);
    const std::string place = "0, (global " + type + " *)" + buffer() + " + " + start;
    if (random_.oneIn(3))
      return "u0 += (uint)vload" + width + "(" + place + ").s" + number(count) + ";";
    return "vstore" + width + "((" + type + width + ")((" + type + ")(" + value() + ")), " + place +
           ");";
  }

  std::string shuffled(std::vector<std::string> parts) {
    std::string result;
    while (!parts.empty()) {
      const size_t next = random_.below(parts.size());
      result += (result.empty() ? "" : " ") + parts[next];
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return result;
  }

  /// What an earlier group has left.
  std::string chain(const std::string &indent) {
    switch (random_.below(5)) {
    case 0:
    case 4:
      waitsForOthers_ = true;
      return indent + "if (group > " + text(writer_) + ")\n" + indent +
             "  for (ulong k = 0; k < bounds[" + number(4) + "]; k++)\n" + indent +
             "    u0 = u0 * 5u + (uint)k;\n";
    case 1:
      return indent + "if (group > 0)\n" + indent + "  u1 += c[n + group - 1];\n" + indent +
             "c[n + group] = u1;\n";
    case 2:
      return indent + "for (uint k = 0; k < (c[n + (group + groups - 1) % groups] & 7u); k++)\n" +
             indent + "  u0 += a[k];\n" + indent + "c[n + group] += u0;\n";
    default:
      return indent + "for (uint k = 0; k < (" + at(kElements[2], buffer(), index(4)) +
             " & 7u); k++)\n" + indent + "  " + store() + "\n";
    }
  }

  /// What groups behind one wait for, which this one leaves after some time, so that groups that
  /// run at once with it begin before.
  std::string bounds() {
    const std::string delay =
        "    for (uint k = 0; k < 50000; ++k)\n      u1 = u1 * 5u + (u1 >> 3);\n";
    return "  if (group == " + text(writer_) + " && l == 0) {\n" + (random_.oneIn(2) ? delay : "") +
           "    for (uint k = 0; k < 4; ++k)\n      bounds[k] = k + 1;\n  }\n";
  }

  std::string generic(const std::string &indent, bool isUniform) {
    const std::string pointer = "(uint *)&" + at(kElements[2], buffer(), index(4));
    switch (random_.below(isUniform ? 7 : 3)) {
    case 0:
      return indent + "{\n" + indent + "  uint *p = " + condition() + " ? " + pointer +
             " : (uint *)&tile[l];\n" + indent + "  u0 ^= *p;\n" + indent + "  *p = " + value() +
             ";\n" + indent + "}\n";
    case 1:
      return indent + "u0 += taken_@(" + pointer + ", u1);\n";
    case 2:
      return indent + "u1 ^= taken_@((uint *)&tile[l], " + value() + ");\n";
    case 3:
      return indent + "u0 ^= work_group_" +
             random_.pick({"reduce_", "scan_inclusive_", "scan_exclusive_"}) +
             random_.pick({"add", "min", "max"}) + "(" + value() + ");\n";
    case 4:
      return indent + "w0 += work_group_reduce_add((ulong)" + value() + ");\n";
    case 5:
      return indent + "u1 += work_group_broadcast(u0, (size_t)" + number(8) + ", (size_t)0);\n";
    default:
      return indent + "u1 += (uint)work_group_" + random_.pick({"all", "any"}) + "(" + condition() +
             ");\n";
    }
  }

  std::string switchOver(const std::string &indent) {
    std::string result = indent + "switch (" + random_.pick({"u0", "u1 >> 3", "g", "(uint)w0"}) +
                         " & " + random_.pick({"3", "7"}) + "u) {\n";
    for (unsigned i = 0, count = 1 + static_cast<unsigned>(random_.below(4)); i < count; ++i)
      result += indent + "case " + text(i + i / 2) + ": " + (random_.oneIn(2) ? store() : load()) +
                (random_.oneIn(3) ? "\n" : " break;\n");
    return result + indent + "default: " + random_.pick({"u0 ^= 77u;", "break;", "u1++;"}) + "\n" +
           indent + "}\n";
  }

  std::string exchange(const std::string &indent) {
    const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n";
    return indent + "tile[l] = " + value() + ";\n" + indent + barrier + indent +
           "u1 += tile[(l + " + number(9) + ") % " + text(group_) + "];\n" + indent + barrier;
  }

  std::string statements(int depth, Place place, uint64_t count) {
    std::string result;
    for (uint64_t i = 0; i < count; ++i)
      result += statement(depth, place);
    return result;
  }

  std::string statement(int depth, Place place) {
    const std::string indent(2 * static_cast<size_t>(depth), ' ');
    const std::string k = "k" + text(static_cast<uint64_t>(depth));
    const auto block = [&](Place inside) {
      return "{\n" + statements(depth + 1, inside, 1 + random_.below(3)) + indent + "}\n";
    };
    const Place divergent{.mayReturn = place.mayReturn, .isInLoop = place.isInLoop};
    switch (random_.below(depth > 3 ? 8 : 18)) {
    case 0:
    case 1:
      return indent + store() + "\n";
    case 2:
      return indent + load() + "\n";
    case 3:
      return indent + overlapping() + "\n";
    case 4:
      return indent + asUnion() + "\n";
    case 5:
      return indent + row() + "\n";
    case 6:
      return indent +
             (hasAtomics_ ? random_.pick({"atomic_add(&counts[1], (int)u1);",
                                          "atomic_xor(&counts[2], (int)u0);"})
                          : random_.pick({"u0 = u0 * 1664525u + 1013904223u;",
                                          "w0 = (w0 << 3) ^ u1;", "u1 = u0 / (u1 | 1u);"})) +
             "\n";
    case 7:
      if (place.mayReturn && random_.oneIn(2))
        return indent + "if (" + condition() + ")\n" + indent + "  return;\n";
      return indent +
             (hasAtomics_ && !isFree_ ? "u0 += (uint)atomic_add(&counts[0], 1);"
                                      : "u0 ^= in[g] * 3u;") +
             "\n";
    case 8:
      return indent + "if (" + condition() + ") " + block(divergent) +
             (random_.oneIn(3) ? indent + "else " + block(divergent) : "");
    case 9:
      return indent + "for (uint " + k + " = 0; " + k + " < " + text(2 + random_.below(4)) + "; " +
             k + "++) " +
             block({.isUniform = place.isUniform, .mayReturn = place.mayReturn, .isInLoop = true});
    case 10:
      return indent + "for (uint " + k + " = 0; " + k + " < (" + value() + " & 3u); " + k + "++) " +
             block({.mayReturn = place.mayReturn, .isInLoop = true});
    case 11:
      return switchOver(indent);
    case 12:
      return place.isUniform ? exchange(indent) : indent + load() + "\n";
    case 13:
      return hasGenericPointers_ ? generic(indent, place.isUniform) : indent + overlapping() + "\n";
    case 14:
    case 15:
      return isFree_ ? indent + store() + "\n" : chain(indent);
    default:
      if (place.isInLoop && !place.isUniform)
        return indent + "if (" + condition() + ")\n" + indent + "  " +
               random_.pick({"break", "continue"}) + ";\n";
      return indent + store() + " " + load() + "\n";
    }
  }

  Random random_;
  bool hasGenericPointers_;
  bool isFree_ = false;         ///< of races
  bool hasAtomics_ = false;     ///< then groups never run at once
  bool waitsForOthers_ = false; ///< groups loop on what the one of number `writer_` leaves
  uint64_t writer_ = 0;
  unsigned items_ = 0, group_ = 0;
};

} // namespace

RandomKernel randomMemoryKernel(uint64_t seed) {
  return MemoryWriter(seed, false).write(seed);
}

RandomKernel randomGenericKernel(uint64_t seed) {
  return MemoryWriter(seed, true).write(seed);
}

} // namespace aiwc::test
