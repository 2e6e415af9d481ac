// NCCL, whose functions are refused: there is one device.
#pragma once
#define NCCL_H_ // programs test it
#pragma GCC system_header
#include "aiwc_refused_library.h"

typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7
} ncclResult_t;
typedef enum {
  ncclInt8 = 0,
  ncclChar = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclInt = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclHalf = 6,
  ncclFloat32 = 7,
  ncclFloat = 7,
  ncclFloat64 = 8,
  ncclDouble = 8,
  ncclBfloat16 = 9
} ncclDataType_t;
typedef enum { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4 } ncclRedOp_t;
typedef struct ncclComm *ncclComm_t;
#define NCCL_UNIQUE_ID_BYTES 128
typedef struct {
  char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

AIWC_ANSWERED(const char *, ncclGetErrorString, "NCCL is not simulated")
AIWC_ANSWERED(const char *, ncclGetLastError, "NCCL is not simulated")
#define AIWC_NCCL(name) AIWC_REFUSED(ncclResult_t, nccl##name, ncclSystemError, "NCCL")
AIWC_NCCL(GetVersion)
AIWC_NCCL(GetUniqueId)
AIWC_NCCL(CommInitRank)
AIWC_NCCL(CommInitAll)
AIWC_NCCL(CommFinalize)
AIWC_NCCL(CommDestroy)
AIWC_NCCL(CommAbort)
AIWC_NCCL(CommCount)
AIWC_NCCL(CommCuDevice)
AIWC_NCCL(CommUserRank)
AIWC_NCCL(CommGetAsyncError)
AIWC_NCCL(AllReduce)
AIWC_NCCL(Broadcast)
AIWC_NCCL(Bcast)
AIWC_NCCL(Reduce)
AIWC_NCCL(AllGather)
AIWC_NCCL(ReduceScatter)
AIWC_NCCL(Send)
AIWC_NCCL(Recv)
AIWC_NCCL(GroupStart)
AIWC_NCCL(GroupEnd)
#undef AIWC_NCCL
