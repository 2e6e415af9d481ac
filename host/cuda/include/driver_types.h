// The types and constants of the runtime API, with the values that CUDA documents.
#pragma once
#define __DRIVER_TYPES_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "vector_types.h"

#include <stddef.h>

#define AIWC_CUDA_ERRORS(ERROR)                                                                    \
  ERROR(cudaSuccess, 0, "no error")                                                                \
  ERROR(cudaErrorInvalidValue, 1, "invalid argument")                                              \
  ERROR(cudaErrorMemoryAllocation, 2, "out of memory")                                             \
  ERROR(cudaErrorInitializationError, 3, "initialization error")                                   \
  ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")                                       \
  ERROR(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")     \
  ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                        \
  ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                  \
  ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                       \
  ERROR(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                   \
  ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                               \
  ERROR(cudaErrorInvalidTexture, 18, "invalid texture reference")                                  \
  ERROR(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                       \
  ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                  \
  ERROR(cudaErrorInsufficientDriver, 35,                                                           \
        "CUDA driver version is insufficient for CUDA runtime version")                            \
  ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")           \
  ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                             \
  ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                              \
  ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                     \
  ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                        \
  ERROR(cudaErrorDeviceUninitialized, 201, "invalid device context")                               \
  ERROR(cudaErrorNoKernelImageForDevice, 209,                                                      \
        "no kernel image is available for execution on the device")                                \
  ERROR(cudaErrorPeerAccessUnsupported, 217,                                                       \
        "peer access is not supported between these two devices")                                  \
  ERROR(cudaErrorInvalidSource, 300, "device kernel image is invalid")                             \
  ERROR(cudaErrorFileNotFound, 301, "file not found")                                              \
  ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                            \
  ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")                                    \
  ERROR(cudaErrorNotReady, 600, "device not ready")                                                \
  ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                  \
  ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")             \
  ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                    \
  ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                  \
  ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                    \
  ERROR(cudaErrorAssert, 710, "device-side assert triggered")                                      \
  ERROR(cudaErrorHostMemoryAlreadyRegistered, 712,                                                 \
        "part or all of the requested memory range is already mapped")                             \
  ERROR(cudaErrorHostMemoryNotRegistered, 713,                                                     \
        "pointer does not correspond to a registered memory region")                               \
  ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                 \
  ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")          \
  ERROR(cudaErrorNotPermitted, 800, "operation not permitted")                                     \
  ERROR(cudaErrorNotSupported, 801, "operation not supported")                                     \
  ERROR(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define AIWC_ERROR(name, value, text) name = value,
  AIWC_CUDA_ERRORS(AIWC_ERROR)
#undef AIWC_ERROR
};
typedef enum cudaError cudaError_t;
#define cudaErrorLaunchIncompatibleTexturing cudaErrorInvalidTexture

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaHostRegisterIoMemory 0x04
#define cudaHostRegisterReadOnly 0x08
#define cudaPeerAccessDefault 0x00
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaEventRecordDefault 0x00
#define cudaEventRecordExternal 0x01
#define cudaEventWaitDefault 0x00
#define cudaEventWaitExternal 0x01
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceScheduleMask 0x07
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)
#define cudaArrayDefault 0x00

enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};
enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3
};
enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};
enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2,
  cudaMemLocationTypeHostNuma = 3,
  cudaMemLocationTypeHostNumaCurrent = 4
};
struct cudaMemLocation {
  enum cudaMemLocationType type;
  int id;
};
enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone = 0,
  cudaMemAccessFlagsProtRead = 1,
  cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
  struct cudaMemLocation location;
  enum cudaMemAccessFlags flags;
};
enum cudaAccessProperty {
  cudaAccessPropertyNormal = 0,
  cudaAccessPropertyStreaming = 1,
  cudaAccessPropertyPersisting = 2
};
struct cudaAccessPolicyWindow {
  void *base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum cudaAccessProperty hitProp, missProp;
};
/// Memory and events that processes share are refused.
typedef struct cudaIpcMemHandle_st {
  char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
  char reserved[64];
} cudaIpcEventHandle_t;
#define cudaIpcMemLazyEnablePeerAccess 0x01
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
};
enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4
};
enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported = 2,
  cudaDevP2PAttrNativeAtomicSupported = 3,
  cudaDevP2PAttrCudaArrayAccessSupported = 4
};

#define AIWC_CUDA_ATTRIBUTES(ATTRIBUTE)                                                            \
  ATTRIBUTE(cudaDevAttrMaxThreadsPerBlock, 1)                                                      \
  ATTRIBUTE(cudaDevAttrMaxBlockDimX, 2)                                                            \
  ATTRIBUTE(cudaDevAttrMaxBlockDimY, 3)                                                            \
  ATTRIBUTE(cudaDevAttrMaxBlockDimZ, 4)                                                            \
  ATTRIBUTE(cudaDevAttrMaxGridDimX, 5)                                                             \
  ATTRIBUTE(cudaDevAttrMaxGridDimY, 6)                                                             \
  ATTRIBUTE(cudaDevAttrMaxGridDimZ, 7)                                                             \
  ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlock, 8)                                                 \
  ATTRIBUTE(cudaDevAttrTotalConstantMemory, 9)                                                     \
  ATTRIBUTE(cudaDevAttrWarpSize, 10)                                                               \
  ATTRIBUTE(cudaDevAttrMaxPitch, 11)                                                               \
  ATTRIBUTE(cudaDevAttrMaxRegistersPerBlock, 12)                                                   \
  ATTRIBUTE(cudaDevAttrClockRate, 13)                                                              \
  ATTRIBUTE(cudaDevAttrTextureAlignment, 14)                                                       \
  ATTRIBUTE(cudaDevAttrGpuOverlap, 15)                                                             \
  ATTRIBUTE(cudaDevAttrMultiProcessorCount, 16)                                                    \
  ATTRIBUTE(cudaDevAttrKernelExecTimeout, 17)                                                      \
  ATTRIBUTE(cudaDevAttrIntegrated, 18)                                                             \
  ATTRIBUTE(cudaDevAttrCanMapHostMemory, 19)                                                       \
  ATTRIBUTE(cudaDevAttrComputeMode, 20)                                                            \
  ATTRIBUTE(cudaDevAttrMaxTexture1DWidth, 21)                                                      \
  ATTRIBUTE(cudaDevAttrMaxTexture2DWidth, 22)                                                      \
  ATTRIBUTE(cudaDevAttrMaxTexture2DHeight, 23)                                                     \
  ATTRIBUTE(cudaDevAttrMaxTexture3DWidth, 24)                                                      \
  ATTRIBUTE(cudaDevAttrMaxTexture3DHeight, 25)                                                     \
  ATTRIBUTE(cudaDevAttrMaxTexture3DDepth, 26)                                                      \
  ATTRIBUTE(cudaDevAttrMaxTexture2DLayeredWidth, 27)                                               \
  ATTRIBUTE(cudaDevAttrMaxTexture2DLayeredHeight, 28)                                              \
  ATTRIBUTE(cudaDevAttrMaxTexture2DLayeredLayers, 29)                                              \
  ATTRIBUTE(cudaDevAttrSurfaceAlignment, 30)                                                       \
  ATTRIBUTE(cudaDevAttrConcurrentKernels, 31)                                                      \
  ATTRIBUTE(cudaDevAttrEccEnabled, 32)                                                             \
  ATTRIBUTE(cudaDevAttrPciBusId, 33)                                                               \
  ATTRIBUTE(cudaDevAttrPciDeviceId, 34)                                                            \
  ATTRIBUTE(cudaDevAttrTccDriver, 35)                                                              \
  ATTRIBUTE(cudaDevAttrMemoryClockRate, 36)                                                        \
  ATTRIBUTE(cudaDevAttrGlobalMemoryBusWidth, 37)                                                   \
  ATTRIBUTE(cudaDevAttrL2CacheSize, 38)                                                            \
  ATTRIBUTE(cudaDevAttrMaxThreadsPerMultiProcessor, 39)                                            \
  ATTRIBUTE(cudaDevAttrAsyncEngineCount, 40)                                                       \
  ATTRIBUTE(cudaDevAttrUnifiedAddressing, 41)                                                      \
  ATTRIBUTE(cudaDevAttrMaxTexture1DLayeredWidth, 42)                                               \
  ATTRIBUTE(cudaDevAttrMaxTexture1DLayeredLayers, 43)                                              \
  ATTRIBUTE(cudaDevAttrPciDomainId, 50)                                                            \
  ATTRIBUTE(cudaDevAttrComputeCapabilityMajor, 75)                                                 \
  ATTRIBUTE(cudaDevAttrComputeCapabilityMinor, 76)                                                 \
  ATTRIBUTE(cudaDevAttrStreamPrioritiesSupported, 78)                                              \
  ATTRIBUTE(cudaDevAttrGlobalL1CacheSupported, 79)                                                 \
  ATTRIBUTE(cudaDevAttrLocalL1CacheSupported, 80)                                                  \
  ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81)                                       \
  ATTRIBUTE(cudaDevAttrMaxRegistersPerMultiprocessor, 82)                                          \
  ATTRIBUTE(cudaDevAttrManagedMemory, 83)                                                          \
  ATTRIBUTE(cudaDevAttrIsMultiGpuBoard, 84)                                                        \
  ATTRIBUTE(cudaDevAttrMultiGpuBoardGroupID, 85)                                                   \
  ATTRIBUTE(cudaDevAttrHostNativeAtomicSupported, 86)                                              \
  ATTRIBUTE(cudaDevAttrSingleToDoublePrecisionPerfRatio, 87)                                       \
  ATTRIBUTE(cudaDevAttrPageableMemoryAccess, 88)                                                   \
  ATTRIBUTE(cudaDevAttrConcurrentManagedAccess, 89)                                                \
  ATTRIBUTE(cudaDevAttrComputePreemptionSupported, 90)                                             \
  ATTRIBUTE(cudaDevAttrCanUseHostPointerForRegisteredMem, 91)                                      \
  ATTRIBUTE(cudaDevAttrCooperativeLaunch, 95)                                                      \
  ATTRIBUTE(cudaDevAttrCooperativeMultiDeviceLaunch, 96)                                           \
  ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97)                                           \
  ATTRIBUTE(cudaDevAttrHostRegisterSupported, 99)                                                  \
  ATTRIBUTE(cudaDevAttrPageableMemoryAccessUsesHostPageTables, 100)                                \
  ATTRIBUTE(cudaDevAttrDirectManagedMemAccessFromHost, 101)                                        \
  ATTRIBUTE(cudaDevAttrMaxBlocksPerMultiprocessor, 106)                                            \
  ATTRIBUTE(cudaDevAttrReservedSharedMemoryPerBlock, 111)                                          \
  ATTRIBUTE(cudaDevAttrMemoryPoolsSupported, 115)                                                  \
  ATTRIBUTE(aiwcDevAttrWavefrontSize, 10000) /* HIP's warp */
enum cudaDeviceAttr {
#define AIWC_ATTRIBUTE(name, value) name = value,
  AIWC_CUDA_ATTRIBUTES(AIWC_ATTRIBUTE)
#undef AIWC_ATTRIBUTE
};

struct CUuuid_st {
  char bytes[16];
};
typedef struct CUuuid_st cudaUUID_t;

/// The members that CUDA 11 documents. Those of textures and surfaces are 0.
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;
  size_t totalConstMem;
  int major;
  int minor;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int maxTexture1D;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DLinear[3];
  int maxTexture3D[3];
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate;
  int memoryBusWidth;
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  // Only HIP's.
  char gcnArchName[256];
};
typedef struct cudaDeviceProp cudaDeviceProp;

struct cudaFuncAttributes {
  size_t sharedSizeBytes;
  size_t constSizeBytes;
  size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
};
struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void *devicePointer;
  void *hostPointer;
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch;
  size_t xsize;
  size_t ysize;
};
struct cudaExtent {
  size_t width;
  size_t height;
  size_t depth;
};
struct cudaPos {
  size_t x;
  size_t y;
  size_t z;
};
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  struct cudaExtent extent;
  enum cudaMemcpyKind kind;
};

typedef enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8
} cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue {
  char pad[64];
  struct cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
} cudaLaunchConfig_t;
#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow

struct cudaLaunchParams {
  void *func;
  dim3 gridDim;
  dim3 blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t stream;
};
