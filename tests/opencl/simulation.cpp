// `simulation PROGRAM FILE [OPTIONS [MODE]]` does through OpenCL's API what `oclgrind-kernel FILE`
// does: it runs one kernel and prints the buffers that FILE says to dump. The program is PROGRAM,
// in OpenCL C or in SPIR-V, and not the one that FILE names. FILE has only what the tests need of
// that format.
//
// MODE: `link` compiles and links the program in two steps, and each part of it by itself, where
// lines `//---` are between them; `constant` sets the specialization
// constant 7 to 1000; `device` prints what the device says of itself,
// `describe` the kernel's arguments, and `program` what the program says
// of itself, in place of running it.

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "plugin/apps/opencl.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string &reason) {
  std::cerr << reason << '\n';
  std::exit(1);
}

/// `<size=256 float range=0:1:63 dump>` and the values behind it.
struct Argument {
  size_t bytes = 0;
  std::string type;
  std::map<std::string, std::string> properties;
  std::vector<std::string> values; ///< in the file
};

std::vector<Argument> readArguments(std::istream &file) {
  std::vector<Argument> arguments;
  for (std::string word; file >> word;) {
    if (word[0] == '<') {
      arguments.emplace_back();
      word.erase(0, 1);
    } else if (!arguments.empty() && arguments.back().properties.contains(">")) {
      arguments.back().values.push_back(word);
      continue;
    }
    Argument &argument = arguments.back();
    const bool isLast = word.back() == '>';
    if (isLast)
      word.pop_back();
    if (const size_t at = word.find('='); at != std::string::npos)
      argument.properties[word.substr(0, at)] = word.substr(at + 1);
    else if (word == "dump" || word == "hex" || word == "noinit" || word == "wo")
      argument.properties[word] = "";
    else
      argument.type = word;
    if (isLast) {
      argument.properties[">"] = "";
      argument.bytes = std::stoul(argument.properties["size"]);
    }
  }
  return arguments;
}

template <typename Value> std::vector<unsigned char> contentOf(const Argument &argument) {
  std::vector<Value> values(argument.bytes / sizeof(Value));
  const auto &properties = argument.properties;
  if (const auto fill = properties.find("fill"); fill != properties.end())
    std::fill(values.begin(), values.end(), static_cast<Value>(std::stod(fill->second)));
  if (const auto range = properties.find("range"); range != properties.end()) {
    double first = 0, step = 0;
    char colon = 0;
    std::istringstream(range->second) >> first >> colon >> step;
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<Value>(first + step * static_cast<double>(i));
  }
  for (size_t i = 0; i < argument.values.size() && i < values.size(); ++i)
    values[i] = properties.contains("hex")
                    ? static_cast<Value>(std::stoull(argument.values[i], nullptr, 16))
                    : static_cast<Value>(std::stod(argument.values[i]));
  std::vector<unsigned char> bytes(argument.bytes);
  std::memcpy(bytes.data(), values.data(), values.size() * sizeof(Value));
  return bytes;
}

template <typename Value>
void print(const std::string &name, const std::vector<unsigned char> &bytes) {
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
  for (size_t i = 0; i < values.size(); ++i)
    std::cout << "  " << name << '[' << i << "] = " << +values[i] << '\n';
}

/// Calls `use` with a value of the type that the file names.
template <typename Use> void withType(const std::string &type, Use use) {
  if (type == "char" || type.empty())
    use(cl_char{});
  else if (type == "uchar")
    use(cl_uchar{});
  else if (type == "short")
    use(cl_short{});
  else if (type == "ushort")
    use(cl_ushort{});
  else if (type == "int")
    use(cl_int{});
  else if (type == "uint")
    use(cl_uint{});
  else if (type == "long")
    use(cl_long{});
  else if (type == "ulong")
    use(cl_ulong{});
  else if (type == "float")
    use(cl_float{});
  else if (type == "double")
    use(cl_double{});
  else
    fail("the type " + type + " is not one of those that the tests need");
}

std::vector<unsigned char> bytesOf(const Argument &argument) {
  std::vector<unsigned char> bytes;
  withType(argument.type, [&](auto value) { bytes = contentOf<decltype(value)>(argument); });
  return bytes;
}

/// Prints the build log if `status` is an error, and ends the program.
void checkBuild(cl_program program, cl_int status, const char *call) {
  if (status != CL_SUCCESS) {
    std::vector<char> log(1 << 16);
    clGetProgramBuildInfo(program, app::device(), CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                          nullptr);
    std::cerr << log.data() << '\n';
  }
  app::check(status, call);
}

/// Compiles the parts of the program and links them.
cl_program link(cl_context context, const std::string &program, const char *options) {
  const std::string separator = "//---\n";
  const cl_device_id device = app::device();
  std::vector<cl_program> parts;
  cl_int status = CL_SUCCESS;
  for (size_t begin = 0; begin < program.size();) {
    const size_t end = std::min(program.find(separator, begin), program.size());
    const std::string part = program.substr(begin, end - begin);
    const char *source = part.c_str();
    parts.push_back(clCreateProgramWithSource(context, 1, &source, nullptr, &status));
    app::check(status, "clCreateProgramWithSource");
    checkBuild(
        parts.back(),
        clCompileProgram(parts.back(), 1, &device, options, 0, nullptr, nullptr, nullptr, nullptr),
        "clCompileProgram");
    begin = end + separator.size();
  }
  const cl_program linked =
      clLinkProgram(context, 1, &device, "", static_cast<cl_uint>(parts.size()), parts.data(),
                    nullptr, nullptr, &status);
  if (linked)
    checkBuild(linked, status, "clLinkProgram");
  app::check(status, "clLinkProgram");
  for (const cl_program part : parts)
    clReleaseProgram(part);
  return linked;
}

cl_program build(cl_context context, const std::string &program, const char *options,
                 const std::string &mode) {
  const bool isSpirv = program.starts_with("\x03\x02\x23\x07");
  if (mode == "link" && !isSpirv)
    return link(context, program, options);
  cl_int status = CL_SUCCESS;
  const char *source = program.c_str();
  const cl_program made =
      isSpirv ? clCreateProgramWithIL(context, program.data(), program.size(), &status)
              : clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  app::check(status, isSpirv ? "clCreateProgramWithIL" : "clCreateProgramWithSource");
  const cl_int constant = 1000;
  if (mode == "constant")
    app::check(clSetProgramSpecializationConstant(made, 7, sizeof constant, &constant),
               "clSetProgramSpecializationConstant");
  const cl_device_id device = app::device();
  if (mode != "link") {
    checkBuild(made, clBuildProgram(made, 1, &device, options, nullptr, nullptr), "clBuildProgram");
    return made;
  }
  checkBuild(made,
             clCompileProgram(made, 1, &device, options, 0, nullptr, nullptr, nullptr, nullptr),
             "clCompileProgram");
  const cl_program linked =
      clLinkProgram(context, 1, &device, "", 1, &made, nullptr, nullptr, &status);
  app::check(status, "clLinkProgram");
  clReleaseProgram(made);
  return linked;
}

std::string textOf(cl_kernel kernel, cl_uint argument, cl_kernel_arg_info what) {
  char text[256] = "";
  app::check(clGetKernelArgInfo(kernel, argument, what, sizeof text, text, nullptr),
             "clGetKernelArgInfo");
  return text;
}

template <typename Value>
Value numberOf(cl_kernel kernel, cl_uint argument, cl_kernel_arg_info what) {
  Value value{};
  app::check(clGetKernelArgInfo(kernel, argument, what, sizeof value, &value, nullptr),
             "clGetKernelArgInfo");
  return value;
}

void describe(cl_kernel kernel) {
  const std::map<cl_uint, const char *> words = {
      {CL_KERNEL_ARG_ADDRESS_GLOBAL, "global"},      {CL_KERNEL_ARG_ADDRESS_LOCAL, "local"},
      {CL_KERNEL_ARG_ADDRESS_CONSTANT, "constant"},  {CL_KERNEL_ARG_ADDRESS_PRIVATE, "private"},
      {CL_KERNEL_ARG_ACCESS_READ_ONLY, "read_only"}, {CL_KERNEL_ARG_ACCESS_NONE, "none"}};
  cl_uint count = 0;
  app::check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr),
             "clGetKernelInfo");
  for (cl_uint i = 0; i < count; ++i)
    std::cout << textOf(kernel, i, CL_KERNEL_ARG_NAME) << ' '
              << textOf(kernel, i, CL_KERNEL_ARG_TYPE_NAME) << ' '
              << words.at(numberOf<cl_kernel_arg_address_qualifier>(
                     kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER))
              << ' '
              << words.at(numberOf<cl_kernel_arg_access_qualifier>(kernel, i,
                                                                   CL_KERNEL_ARG_ACCESS_QUALIFIER))
              << '\n';
}

std::string infoOf(cl_program program, cl_program_info what) {
  size_t size = 0;
  app::check(clGetProgramInfo(program, what, 0, nullptr, &size), "clGetProgramInfo");
  std::string bytes(size, '?');
  app::check(clGetProgramInfo(program, what, size, bytes.data(), nullptr), "clGetProgramInfo");
  return bytes;
}

std::string counted(size_t count, const std::string &word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

void describe(cl_program program, const std::string &given) {
  const std::string il = infoOf(program, CL_PROGRAM_IL);
  std::cout << "il of " << counted(il.size(), "byte");
  if (!il.empty())
    std::cout << (il == given ? ": the same" : ": another one");
  std::cout << "\nsource of " << counted(infoOf(program, CL_PROGRAM_SOURCE).size(), "byte")
            << "\nkernels: " << infoOf(program, CL_PROGRAM_KERNEL_NAMES).c_str() << '\n';
}

struct Buffer {
  const Argument *argument;
  std::string name;
  cl_mem memory;
};

/// Passes the arguments. Returns the buffers, which the kernel's signature tells from values.
std::vector<Buffer> pass(cl_context context, cl_kernel kernel,
                         const std::vector<Argument> &arguments) {
  std::vector<Buffer> buffers;
  for (cl_uint i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    const auto space =
        numberOf<cl_kernel_arg_address_qualifier>(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER);
    std::vector<unsigned char> bytes = bytesOf(argument);
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
      app::check(clSetKernelArg(kernel, i, argument.bytes, nullptr), "clSetKernelArg");
    } else if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
      app::check(clSetKernelArg(kernel, i, argument.bytes, bytes.data()), "clSetKernelArg");
    } else {
      const cl_mem memory = app::createBuffer(
          context, argument.bytes,
          (argument.properties.contains("wo") ? CL_MEM_WRITE_ONLY : CL_MEM_READ_WRITE) |
              CL_MEM_COPY_HOST_PTR,
          bytes.data());
      app::setArgument(kernel, i, memory);
      buffers.push_back({&argument, textOf(kernel, i, CL_KERNEL_ARG_NAME), memory});
    }
  }
  return buffers;
}

template <typename Value> Value answer(cl_device_info question) {
  Value value{};
  app::check(clGetDeviceInfo(app::device(), question, sizeof value, &value, nullptr),
             "clGetDeviceInfo");
  return value;
}

std::string text(cl_device_info question) {
  char value[1024] = "";
  app::check(clGetDeviceInfo(app::device(), question, sizeof value, value, nullptr),
             "clGetDeviceInfo");
  return value;
}

void describeDevice(cl_kernel kernel) {
  cl_platform_id platform = nullptr;
  app::check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  char version[64] = "";
  app::check(clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, nullptr),
             "clGetPlatformInfo");
  std::cout << version << '\n'
            << text(CL_DEVICE_VERSION) << '\n'
            << CL_VERSION_MAJOR(answer<cl_version>(CL_DEVICE_NUMERIC_VERSION)) << '\n'
            << text(CL_DEVICE_IL_VERSION) << '\n'
            << "generic " << answer<cl_bool>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) << ", groups "
            << answer<cl_bool>(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) << ", pipes "
            << answer<cl_bool>(CL_DEVICE_PIPE_SUPPORT) << ", queues "
            << answer<cl_device_device_enqueue_capabilities>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES)
            << ", coarse "
            << (answer<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES) ==
                CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)
            << ", sub-groups " << answer<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) << '\n';
  const std::string extensions = " " + text(CL_DEVICE_EXTENSIONS) + " ";
  for (const char *name : {"cl_khr_il_program", "cl_khr_subgroups"})
    std::cout << name << ' ' << (extensions.find(name) != std::string::npos) << '\n';
  for (const char *name : {"ballot", "clustered_reduce", "extended_types", "non_uniform_arithmetic",
                           "non_uniform_vote", "rotate", "shuffle", "shuffle_relative"})
    if (extensions.find(std::string(" cl_khr_subgroup_") + name + " ") != std::string::npos)
      std::cout << name << ' ';
  std::cout << '\n';
  const size_t sizes[] = {10, 7};
  for (const cl_uint question :
       {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE}) {
    size_t value = 0;
    app::check(clGetKernelSubGroupInfo(kernel, app::device(), question, sizeof sizes, sizes,
                                       sizeof value, &value, nullptr),
               "clGetKernelSubGroupInfo");
    std::cout << value << ' ';
  }
  std::cout << '\n';
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3 || argc > 5)
    fail("expected: simulation PROGRAM FILE [OPTIONS [MODE]]");
  const std::string mode = argc == 5 ? argv[4] : "";
  std::ifstream programFile(argv[1], std::ios::binary), file(argv[2]);
  const std::string program{std::istreambuf_iterator<char>(programFile), {}};
  std::string line;
  while (std::getline(file, line) && (line.empty() || line[0] == '#')) {
  }
  std::string name;
  size_t global[3], local[3];
  file >> name;
  for (size_t &size : global)
    file >> size;
  for (size_t &size : local)
    file >> size;
  const std::vector<Argument> arguments = readArguments(file);
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  const cl_program built = build(context, program, argc > 3 ? argv[3] : "", mode);
  if (mode == "program") {
    describe(built, program);
    return 0;
  }
  const cl_kernel kernel = app::createKernel(built, name.c_str());
  if (mode == "describe") {
    describe(kernel);
    return 0;
  }
  if (mode == "device") {
    describeDevice(kernel);
    return 0;
  }
  const std::vector<Buffer> buffers = pass(context, kernel, arguments);
  app::check(clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, global, local, 0, nullptr, nullptr),
             "clEnqueueNDRangeKernel");
  app::check(clFinish(queue), "clFinish");
  std::cout.precision(17);
  for (const Buffer &buffer : buffers) {
    if (!buffer.argument->properties.contains("dump"))
      continue;
    std::vector<unsigned char> bytes(buffer.argument->bytes);
    app::check(clEnqueueReadBuffer(queue, buffer.memory, CL_TRUE, 0, bytes.size(), bytes.data(), 0,
                                   nullptr, nullptr),
               "clEnqueueReadBuffer");
    withType(buffer.argument->type,
             [&](auto value) { print<decltype(value)>(buffer.name, bytes); });
  }
  clReleaseKernel(kernel);
  clReleaseProgram(built);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
