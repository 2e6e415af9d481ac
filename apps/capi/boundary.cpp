#include "boundary.h"

#include "common/version.h"
#include "predict/device_profile.h"

#include <array>
#include <new>
#include <stdexcept>

namespace aiwc::capi {

namespace {

constexpr size_t kMessageBytes = 1024;

/// Has constant initialisation and no destructor, so that it can be used at any time in a thread's
/// life and when memory has run out.
thread_local std::array<char, kMessageBytes> lastMessage{};

} // namespace

Failure::~Failure() = default;

aiwc_status fail(aiwc_status status, std::string_view message) noexcept {
  size_t size = std::min(message.size(), lastMessage.size() - 1);
  // Does not cut inside a UTF-8 character: the first byte cut off must not be a continuation byte
  // (10xxxxxx).
  if (size < message.size())
    while (size > 0 && (static_cast<unsigned char>(message[size]) & 0xC0U) == 0x80U)
      --size;
  // The message must be one line, whatever names it contains.
  std::transform(
      message.begin(), message.begin() + static_cast<ptrdiff_t>(size), lastMessage.begin(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c; });
  lastMessage[size] = '\0';
  return status;
}

aiwc_status statusOfException(aiwc_status ofError) noexcept {
  try {
    throw;
  } catch (const Failure &failure) {
    return fail(failure.status(), failure.what());
  } catch (const predict::MissingParameter &missing) {
    return fail(AIWC_MISSING_PARAMETER, missing.what());
  } catch (const Error &error) {
    return fail(ofError, error.what());
  } catch (const std::bad_alloc &) {
    return fail(AIWC_OUT_OF_MEMORY, "out of memory");
  } catch (const std::length_error &) { // a container as large as no memory is
    return fail(AIWC_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &exception) {
    return fail(AIWC_INTERNAL, exception.what());
  } catch (...) {
    return fail(AIWC_INTERNAL, "an unknown exception");
  }
}

} // namespace aiwc::capi

const char *aiwc_version(void) {
  return aiwc::kVersion;
}

const char *aiwc_error_message(void) {
  return aiwc::capi::lastMessage.data();
}

const char *aiwc_status_text(int status) {
  switch (status) {
  case AIWC_OK:
    return "no error";
  case AIWC_BAD_ARGUMENT:
    return "bad argument";
  case AIWC_NOT_FOUND:
    return "not found";
  case AIWC_BAD_FILE:
    return "bad file";
  case AIWC_UNUSABLE_PROFILE:
    return "unusable kernel profile";
  case AIWC_MISSING_PARAMETER:
    return "missing device parameter";
  case AIWC_OUT_OF_MEMORY:
    return "out of memory";
  case AIWC_INTERNAL:
    return "internal error";
  }
  return "unknown status";
}
