// Layer normalisation of rows of floats, a work-group for each row, as GPU libraries of deep learning
// compute it for rows of whole vectors of four: Welford's method for mean and variance, first in each
// work-item, then over the work-group. Devices combine within a warp by shuffles; here that is a tree
// in local memory. LOCAL_SIZE is the number of work-items, a power of two.

typedef struct {
  float mean;
  float m2; // sum of squared differences from the mean
  float count;
} Moments;

static Moments with(Moments moments, float value) {
  const float delta = value - moments.mean;
  const float count = moments.count + 1;
  const float mean = moments.mean + delta * (1 / count);
  const Moments result = {mean, moments.m2 + delta * (value - mean), count};
  return result;
}

static Moments combined(Moments a, Moments b) {
  const float delta = b.mean - a.mean;
  const float count = a.count + b.count;
  Moments result = {0, 0, 0};
  if (count > 0) {
    const float factor = 1 / count;
    const float partA = a.count * factor;
    const float partB = b.count * factor;
    result.mean = partA * a.mean + partB * b.mean;
    result.m2 = a.m2 + b.m2 + delta * delta * a.count * partB;
    result.count = count;
  }
  return result;
}

kernel void layer_norm(global const float *restrict input, global const float *restrict scale,
                       global const float *restrict shift, global float *restrict result,
                       global float *restrict means, global float *restrict deviations,
                       const int length, const float epsilon) {
  local float sharedMean[LOCAL_SIZE];
  local float sharedM2[LOCAL_SIZE];
  local float sharedCount[LOCAL_SIZE];
  const int item = get_local_id(1) * get_local_size(0) + get_local_id(0);
  const int row = get_group_id(0);
  const int vectors = length / 4;
  global const float4 *from = (global const float4 *)(input + (size_t)row * length);

  Moments moments = {0, 0, 0};
  for (int i = item; i < vectors; i += LOCAL_SIZE) {
    const float4 values = from[i];
    moments = with(moments, values.x);
    moments = with(moments, values.y);
    moments = with(moments, values.z);
    moments = with(moments, values.w);
  }
  sharedMean[item] = moments.mean;
  sharedM2[item] = moments.m2;
  sharedCount[item] = moments.count;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int reach = LOCAL_SIZE / 2; reach > 0; reach /= 2) {
    if (item < reach) {
      const Moments a = {sharedMean[item], sharedM2[item], sharedCount[item]};
      const Moments b = {sharedMean[item + reach], sharedM2[item + reach], sharedCount[item + reach]};
      const Moments sum = combined(a, b);
      sharedMean[item] = sum.mean;
      sharedM2[item] = sum.m2;
      sharedCount[item] = sum.count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  const float mean = sharedMean[0];
  const float deviation = rsqrt(sharedM2[0] / length + epsilon);
  global float4 *to = (global float4 *)(result + (size_t)row * length);
  for (int i = item; i < vectors; i += LOCAL_SIZE)
    to[i] = ((global const float4 *)scale)[i] * (deviation * (from[i] - mean)) +
            ((global const float4 *)shift)[i];
  if (item == 0) {
    means[row] = mean;
    deviations[row] = deviation;
  }
}
