// Launches one OpenCL kernel, with buffers and scalars as the command line says, so that the kernel
// can be characterised or run without a program of its own. Usage: launch --help.
//
// Buffers use memory of the host that is only touched where the kernel does: zeros are pages that
// nobody wrote, and random content is one piece of memory that is mapped again and again. So a
// simulator that runs few work-groups of a launch needs little memory for buffers of many GiB.
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char usage[] =
    "Launch one kernel of an OpenCL C file\n"
    "Usage: launch FILE KERNEL --global X[,Y[,Z]] [OPTION...] ARGUMENT...\n"
    "\n"
    "Options:\n"
    "  --global X[,Y[,Z]]   Work-items of the launch\n"
    "  --local X[,Y[,Z]]    Work-items of a work-group (default: the implementation's choice)\n"
    "  --build OPTIONS      Options of the compiler\n"
    "  --launches N         Launch the kernel N times (default: 1)\n"
    "  --print I:COUNT      Print the first COUNT elements of argument I, counted from 0, at the "
    "end\n"
    "\n"
    "One ARGUMENT for each argument of the kernel, in order; BYTES may end in K, M or G (2^10, "
    "...):\n"
    "  zeros:BYTES          A buffer of zeros\n"
    "  floats:BYTES         A buffer of random numbers from -1 to 1, repeated every 16 MiB\n"
    "  doubles:BYTES        The same of double precision\n"
    "  ints:BYTES:LIMIT     The same of integers from 0 to LIMIT - 1\n"
    "  local:BYTES          Local memory\n"
    "  int:V uint:V long:V ulong:V float:V double:V   A scalar\n"
    "\n"
    "Example:\n"
    "  launch stream.cl stream_triad --global 1048576 --local 256 zeros:8M doubles:8M doubles:8M\n";

enum { kMaximumArguments = 64 };
static const size_t kPiece = (size_t)16 << 20; // of random content

static void fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  fputs("launch: ", stderr);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  exit(1);
}

static void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS)
    fail("%s: OpenCL error %d", what, status);
}

static size_t parseBytes(const char *text, char **end) {
  const unsigned long long number = strtoull(text, end, 10);
  int shift = 0;
  if (**end == 'K')
    shift = 10;
  else if (**end == 'M')
    shift = 20;
  else if (**end == 'G')
    shift = 30;
  *end += shift != 0;
  if (number == 0 || text[0] == '-' || number << shift >> shift != number)
    fail("no number of bytes: %s", text);
  return (size_t)number << shift;
}

static cl_uint parseSizes(const char *text, size_t sizes[3]) {
  cl_uint dimensions = 0;
  const char *at = text;
  for (;;) {
    char *end;
    const unsigned long long size = strtoull(at, &end, 10);
    if (end == at || *at == '-' || size == 0 || dimensions == 3)
      fail("no size of one to three dimensions: %s", text);
    sizes[dimensions++] = (size_t)size;
    if (*end == '\0')
      return dimensions;
    if (*end != ',')
      fail("no size of one to three dimensions: %s", text);
    at = end + 1;
  }
}

static char *readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    fail("cannot read %s", path);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char *text = size < 0 ? NULL : malloc((size_t)size + 1);
  if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
    fail("cannot read %s", path);
  text[size] = '\0';
  fclose(file);
  return text;
}

static unsigned nextRandom(void) { // a linear congruential generator: its upper bits
  static unsigned long long state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 32);
}

typedef enum { kZeros, kFloats, kDoubles, kInts } Content;

static void fill(void *memory, size_t bytes, Content content, unsigned limit) {
  const double scale = 1.0 / 2147483648.0;
  if (content == kFloats)
    for (size_t i = 0; i < bytes / sizeof(float); i++)
      ((float *)memory)[i] = (float)(nextRandom() * scale - 1);
  else if (content == kDoubles)
    for (size_t i = 0; i < bytes / sizeof(double); i++)
      ((double *)memory)[i] = nextRandom() * scale - 1;
  else if (content == kInts)
    for (size_t i = 0; i < bytes / sizeof(int); i++)
      ((int *)memory)[i] = (int)(nextRandom() % limit);
}

// Memory of this content, of which pages exist once they are touched.
static void *makeMemory(size_t bytes, Content content, unsigned limit) {
  char *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fail("no address space for %zu bytes", bytes);
  if (content == kZeros)
    return memory;
  if (bytes <= kPiece) {
    fill(memory, bytes, content, limit);
    return memory;
  }
  const int file = memfd_create("content", 0);
  if (file < 0 || ftruncate(file, (off_t)kPiece) != 0)
    fail("no memory for the content of a buffer");
  void *piece = mmap(NULL, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (piece == MAP_FAILED)
    fail("no memory for the content of a buffer");
  fill(piece, kPiece, content, limit);
  munmap(piece, kPiece);
  for (size_t offset = 0; offset < bytes; offset += kPiece) {
    const size_t size = bytes - offset < kPiece ? bytes - offset : kPiece;
    if (mmap(memory + offset, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
             file, 0) == MAP_FAILED)
      fail("no address space for %zu bytes", bytes);
  }
  close(file);
  return memory;
}

typedef struct {
  cl_mem buffer; // NULL for scalars and local memory
  Content content;
  size_t bytes;
  void *memory;
} Argument;

static int hasPrefix(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static cl_int setScalar(cl_kernel kernel, cl_uint index, const char *text) {
  char *end = NULL;
  const char *value = strchr(text, ':') + 1;
  cl_int status = CL_SUCCESS;
  if (hasPrefix(text, "float:")) {
    const cl_float number = strtof(value, &end);
    status = clSetKernelArg(kernel, index, sizeof number, &number);
  } else if (hasPrefix(text, "double:")) {
    const cl_double number = strtod(value, &end);
    status = clSetKernelArg(kernel, index, sizeof number, &number);
  } else if (hasPrefix(text, "int:") || hasPrefix(text, "uint:")) {
    const cl_uint number = (cl_uint)strtoll(value, &end, 10);
    status = clSetKernelArg(kernel, index, sizeof number, &number);
  } else if (hasPrefix(text, "long:") || hasPrefix(text, "ulong:")) {
    const cl_ulong number =
        text[0] == 'u' ? strtoull(value, &end, 10) : (cl_ulong)strtoll(value, &end, 10);
    status = clSetKernelArg(kernel, index, sizeof number, &number);
  }
  if (!end || end == value || *end)
    fail("unknown argument: %s", text);
  return status;
}

static Argument setArgument(cl_context context, cl_kernel kernel, cl_uint index, const char *text) {
  Argument argument = {0};
  const char *colon = strchr(text, ':');
  if (!colon)
    fail("unknown argument: %s", text);
  unsigned limit = 1;
  char *end;
  cl_int status;
  if (hasPrefix(text, "zeros:"))
    argument.content = kZeros;
  else if (hasPrefix(text, "floats:"))
    argument.content = kFloats;
  else if (hasPrefix(text, "doubles:"))
    argument.content = kDoubles;
  else if (hasPrefix(text, "ints:"))
    argument.content = kInts;
  else if (hasPrefix(text, "local:")) {
    status = clSetKernelArg(kernel, index, parseBytes(colon + 1, &end), NULL);
    check(status, text);
    if (*end)
      fail("unknown argument: %s", text);
    return argument;
  } else {
    check(setScalar(kernel, index, text), text);
    return argument;
  }
  argument.bytes = parseBytes(colon + 1, &end);
  if (argument.content == kInts && *end == ':')
    limit = (unsigned)strtoul(end + 1, &end, 10);
  if (*end || limit == 0)
    fail("unknown argument: %s", text);
  argument.memory = makeMemory(argument.bytes, argument.content, limit);
  argument.buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, argument.bytes,
                                   argument.memory, &status);
  check(status, text);
  check(clSetKernelArg(kernel, index, sizeof argument.buffer, &argument.buffer), text);
  return argument;
}

static void print(cl_command_queue queue, const Argument *argument, int asDouble, size_t count) {
  const size_t size = asDouble ? sizeof(double) : sizeof(float);
  if (count > argument->bytes / size)
    count = argument->bytes / size;
  void *values = malloc(count * size + 1);
  if (!values)
    fail("no memory");
  check(
      clEnqueueReadBuffer(queue, argument->buffer, CL_TRUE, 0, count * size, values, 0, NULL, NULL),
      "reading a buffer");
  for (size_t i = 0; i < count; i++)
    printf("%.9g\n", asDouble ? ((double *)values)[i] : ((float *)values)[i]);
  free(values);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    fputs(usage, stdout);
    return 0;
  }
  const char *names[2] = {NULL, NULL}; // file, kernel
  const char *options = "";
  const char *arguments[kMaximumArguments];
  cl_uint count = 0;
  size_t global[3];
  size_t local[3];
  cl_uint dimensions = 0;
  cl_uint localDimensions = 0;
  long launches = 1;
  size_t printed = 0;
  size_t printedCount = 0;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-') {
      if (i + 1 == argc)
        fail("%s is unknown or needs a value (launch --help)", argv[i]);
      const char *value = argv[i + 1];
      char extra;
      if (strcmp(argv[i], "--global") == 0)
        dimensions = parseSizes(value, global);
      else if (strcmp(argv[i], "--local") == 0)
        localDimensions = parseSizes(value, local);
      else if (strcmp(argv[i], "--build") == 0)
        options = value;
      else if (strcmp(argv[i], "--launches") == 0) {
        if (sscanf(value, "%ld%c", &launches, &extra) != 1 || launches < 1)
          fail("no number of launches: %s", value);
      } else if (strcmp(argv[i], "--print") == 0) {
        if (sscanf(value, "%zu:%zu%c", &printed, &printedCount, &extra) != 2)
          fail("no argument and count: %s", value);
      } else
        fail("unknown option %s (launch --help)", argv[i]);
      i++;
    } else if (!names[0] || !names[1]) {
      names[names[0] != NULL] = argv[i];
    } else {
      if (count == kMaximumArguments)
        fail("more than %d arguments", kMaximumArguments);
      arguments[count++] = argv[i];
    }
  }
  if (!names[1] || dimensions == 0)
    fail("a file, a kernel and --global are needed (launch --help)");
  if (localDimensions != 0 && localDimensions != dimensions)
    fail("--local has other dimensions than --global");

  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "no platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "making a context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "making a queue");
  char *source = readFile(names[0]);
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
  check(status, names[0]);
  if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fail("%s does not compile:\n%s", names[0], log);
  }
  cl_kernel kernel = clCreateKernel(program, names[1], &status);
  check(status, names[1]);
  cl_uint expected;
  check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof expected, &expected, NULL), names[1]);
  if (expected != count)
    fail("%s has %u arguments, not %u", names[1], expected, count);
  if (printedCount != 0 && printed >= count)
    fail("there is no argument %zu to print", printed);
  static Argument set[kMaximumArguments];
  for (cl_uint i = 0; i < count; i++)
    set[i] = setArgument(context, kernel, i, arguments[i]);
  if (printedCount != 0 && !set[printed].buffer)
    fail("argument %zu is no buffer", printed);

  for (long i = 0; i < launches; i++)
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global,
                                 localDimensions != 0 ? local : NULL, 0, NULL, NULL),
          "launching");
  check(clFinish(queue), "running");
  if (printedCount != 0)
    print(queue, &set[printed], hasPrefix(arguments[printed], "doubles:"), printedCount);

  for (cl_uint i = 0; i < count; i++)
    if (set[i].buffer) {
      clReleaseMemObject(set[i].buffer);
      munmap(set[i].memory, set[i].bytes);
    }
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  free(source);
  return 0;
}
