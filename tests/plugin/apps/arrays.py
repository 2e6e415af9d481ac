"""What a user of PyOpenCL does with arrays: element-wise operations, reductions and a scan, whose
kernels PyOpenCL makes from its own templates. Every result is compared with NumPy's."""

import numpy
import pyopencl
import pyopencl.array
import pyopencl.elementwise

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
generator = numpy.random.default_rng(1)
hostX = generator.random(1000, dtype=numpy.float32)
hostY = generator.random(1000, dtype=numpy.float32)
x = pyopencl.array.to_device(queue, hostX)
y = pyopencl.array.to_device(queue, hostY)
z = pyopencl.array.empty_like(x)


def agree(name, found, expected):
    if not numpy.allclose(found, expected, rtol=1e-4):
        raise SystemExit(f"{name}: {found} instead of {expected}")


weighted = pyopencl.elementwise.ElementwiseKernel(
    context,
    "float a, float *x, float b, float *y, float *z",
    "z[i] = a * x[i] + b * y[i]",
    "weighted",
    options=["-cl-std=CL1.2"],
)
weighted(numpy.float32(2), x, numpy.float32(3), y, z)
agree("weighted", z.get(), 2 * hostX + 3 * hostY)
agree("product", (x * y).get(), hostX * hostY)
agree("sum", pyopencl.array.sum(x).get(), hostX.sum())
agree("dot", pyopencl.array.dot(x, y).get(), hostX @ hostY)
agree("max", pyopencl.array.max(x).get(), hostX.max())
agree("cumsum", pyopencl.array.cumsum(x).get(), hostX.cumsum())
print("all results agree")
