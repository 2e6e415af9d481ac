// cuDNN, whose functions are refused.
#pragma once
#define CUDNN_H_ // programs test it
#pragma GCC system_header
#include "aiwc_refused_library.h"

#define CUDNN_MAJOR 8
#define CUDNN_MINOR 9
#define CUDNN_PATCHLEVEL 0
#define CUDNN_VERSION 8900
typedef enum {
  CUDNN_STATUS_SUCCESS = 0,
  CUDNN_STATUS_NOT_INITIALIZED = 1,
  CUDNN_STATUS_ALLOC_FAILED = 2,
  CUDNN_STATUS_BAD_PARAM = 3,
  CUDNN_STATUS_INTERNAL_ERROR = 4,
  CUDNN_STATUS_INVALID_VALUE = 5,
  CUDNN_STATUS_ARCH_MISMATCH = 6,
  CUDNN_STATUS_MAPPING_ERROR = 7,
  CUDNN_STATUS_EXECUTION_FAILED = 8,
  CUDNN_STATUS_NOT_SUPPORTED = 9
} cudnnStatus_t;
typedef enum {
  CUDNN_DATA_FLOAT = 0,
  CUDNN_DATA_DOUBLE = 1,
  CUDNN_DATA_HALF = 2,
  CUDNN_DATA_INT8 = 3,
  CUDNN_DATA_INT32 = 4
} cudnnDataType_t;
typedef enum { CUDNN_TENSOR_NCHW = 0, CUDNN_TENSOR_NHWC = 1 } cudnnTensorFormat_t;
typedef enum { CUDNN_NOT_PROPAGATE_NAN = 0, CUDNN_PROPAGATE_NAN = 1 } cudnnNanPropagation_t;
typedef enum { CUDNN_CONVOLUTION = 0, CUDNN_CROSS_CORRELATION = 1 } cudnnConvolutionMode_t;
typedef enum { CUDNN_DEFAULT_MATH = 0, CUDNN_TENSOR_OP_MATH = 1 } cudnnMathType_t;
typedef enum { CUDNN_NON_DETERMINISTIC = 0, CUDNN_DETERMINISTIC = 1 } cudnnDeterminism_t;
typedef enum {
  CUDNN_ACTIVATION_SIGMOID = 0,
  CUDNN_ACTIVATION_RELU = 1,
  CUDNN_ACTIVATION_TANH = 2,
  CUDNN_ACTIVATION_CLIPPED_RELU = 3,
  CUDNN_ACTIVATION_ELU = 4
} cudnnActivationMode_t;
typedef enum {
  CUDNN_POOLING_MAX = 0,
  CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
  CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2
} cudnnPoolingMode_t;
typedef enum {
  CUDNN_SOFTMAX_FAST = 0,
  CUDNN_SOFTMAX_ACCURATE = 1,
  CUDNN_SOFTMAX_LOG = 2
} cudnnSoftmaxAlgorithm_t;
typedef enum { CUDNN_SOFTMAX_MODE_INSTANCE = 0, CUDNN_SOFTMAX_MODE_CHANNEL = 1 } cudnnSoftmaxMode_t;
typedef enum {
  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM = 0,
  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM = 1,
  CUDNN_CONVOLUTION_FWD_ALGO_GEMM = 2,
  CUDNN_CONVOLUTION_FWD_ALGO_DIRECT = 3,
  CUDNN_CONVOLUTION_FWD_ALGO_FFT = 4,
  CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING = 5,
  CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD = 6
} cudnnConvolutionFwdAlgo_t;
typedef struct cudnnContext *cudnnHandle_t;
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;
typedef struct cudnnFilterStruct *cudnnFilterDescriptor_t;
typedef struct cudnnConvolutionStruct *cudnnConvolutionDescriptor_t;
typedef struct cudnnPoolingStruct *cudnnPoolingDescriptor_t;
typedef struct cudnnActivationStruct *cudnnActivationDescriptor_t;
typedef struct {
  cudnnConvolutionFwdAlgo_t algo;
  cudnnStatus_t status;
  float time;
  size_t memory;
  cudnnDeterminism_t determinism;
  cudnnMathType_t mathType;
  int reserved[3];
} cudnnConvolutionFwdAlgoPerf_t;

AIWC_ANSWERED(const char *, cudnnGetErrorString, "CUDNN_STATUS_NOT_SUPPORTED")
AIWC_ANSWERED(size_t, cudnnGetVersion, CUDNN_VERSION)
#define AIWC_DNN(name) AIWC_REFUSED(cudnnStatus_t, cudnn##name, CUDNN_STATUS_NOT_SUPPORTED, "cuDNN")
AIWC_DNN(Create)
AIWC_DNN(Destroy)
AIWC_DNN(SetStream)
AIWC_DNN(CreateTensorDescriptor)
AIWC_DNN(SetTensor4dDescriptor)
AIWC_DNN(SetTensor4dDescriptorEx)
AIWC_DNN(SetTensorNdDescriptor)
AIWC_DNN(DestroyTensorDescriptor)
AIWC_DNN(CreateFilterDescriptor)
AIWC_DNN(SetFilter4dDescriptor)
AIWC_DNN(DestroyFilterDescriptor)
AIWC_DNN(CreateConvolutionDescriptor)
AIWC_DNN(SetConvolution2dDescriptor)
AIWC_DNN(SetConvolutionMathType)
AIWC_DNN(SetConvolutionGroupCount)
AIWC_DNN(DestroyConvolutionDescriptor)
AIWC_DNN(GetConvolution2dForwardOutputDim)
AIWC_DNN(GetConvolutionForwardAlgorithm_v7)
AIWC_DNN(FindConvolutionForwardAlgorithm)
AIWC_DNN(GetConvolutionForwardWorkspaceSize)
AIWC_DNN(ConvolutionForward)
AIWC_DNN(ConvolutionBackwardData)
AIWC_DNN(ConvolutionBackwardFilter)
AIWC_DNN(ConvolutionBackwardBias)
AIWC_DNN(AddTensor)
AIWC_DNN(CreatePoolingDescriptor)
AIWC_DNN(SetPooling2dDescriptor)
AIWC_DNN(DestroyPoolingDescriptor)
AIWC_DNN(PoolingForward)
AIWC_DNN(PoolingBackward)
AIWC_DNN(CreateActivationDescriptor)
AIWC_DNN(SetActivationDescriptor)
AIWC_DNN(DestroyActivationDescriptor)
AIWC_DNN(ActivationForward)
AIWC_DNN(ActivationBackward)
AIWC_DNN(SoftmaxForward)
AIWC_DNN(SoftmaxBackward)
#undef AIWC_DNN
