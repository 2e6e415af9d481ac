// Names of parts of a program for profilers. They are accepted and not used.
#pragma once
#pragma GCC system_header
#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 2
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
typedef uint64_t nvtxRangeId_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2
} nvtxMessageType_t;
typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_t {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
static inline int nvtxRangePushA(const char *name) {
  return name ? 0 : -1;
}
static inline int nvtxRangePush(const char *name) {
  return nvtxRangePushA(name);
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *event) {
  return event ? 0 : -1;
}
static inline int nvtxRangePop(void) {
  return 0;
}
static inline nvtxRangeId_t nvtxRangeStartA(const char *name) {
  return name != 0;
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *event) {
  return event != 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t id) {
  (void)id;
}
static inline void nvtxMarkA(const char *name) {
  (void)name;
}
static inline void nvtxNameOsThreadA(uint32_t thread, const char *name) {
  (void)thread;
  (void)name;
}
