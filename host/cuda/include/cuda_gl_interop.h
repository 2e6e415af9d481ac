// Memory that CUDA and OpenGL share, which is refused.
#pragma once
#define __CUDA_GL_INTEROP_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "aiwc_refused_library.h"
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#else
typedef unsigned int GLuint, GLenum;
#endif

typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
enum cudaGraphicsRegisterFlags {
  cudaGraphicsRegisterFlagsNone = 0,
  cudaGraphicsRegisterFlagsReadOnly = 1,
  cudaGraphicsRegisterFlagsWriteDiscard = 2
};
enum cudaGraphicsMapFlags {
  cudaGraphicsMapFlagsNone = 0,
  cudaGraphicsMapFlagsReadOnly = 1,
  cudaGraphicsMapFlagsWriteDiscard = 2
};

#define AIWC_GL(name)                                                                              \
  AIWC_REFUSED(cudaError_t, cuda##name, cudaErrorNotSupported, "interoperation with graphics")
AIWC_GL(GLSetGLDevice)
AIWC_GL(GLGetDevices)
AIWC_GL(GraphicsGLRegisterBuffer)
AIWC_GL(GraphicsGLRegisterImage)
AIWC_GL(GraphicsUnregisterResource)
AIWC_GL(GraphicsMapResources)
AIWC_GL(GraphicsUnmapResources)
AIWC_GL(GraphicsResourceSetMapFlags)
AIWC_GL(GraphicsResourceGetMappedPointer)
AIWC_GL(GraphicsSubResourceGetMappedArray)
#undef AIWC_GL
