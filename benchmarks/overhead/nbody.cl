// One step of bodies that attract one another, all pairs of them. Not part of a program:
//   aiwc kernel nbody.cl --global 16384 --local 64 --arg 'bodies=buffer:f32:4*items:random(-1,1)' \
//     --arg 'velocity=buffer:f32:4*items:zeros' --arg 'moved=buffer:f32:4*items:zeros' \
//     --arg count=items --arg step=0.01
// A body: its position and, in w, its mass.
kernel void nbody(global const float4 *restrict bodies, global float4 *restrict velocity,
                  global float4 *restrict moved, const uint count, const float step) {
  const size_t i = get_global_id(0);
  const float4 own = bodies[i];
  float3 pull = (float3)(0.0f);
  for (uint k = 0; k < count; ++k) {
    const float4 other = bodies[k];
    const float3 way = other.xyz - own.xyz;
    const float inverse = rsqrt(dot(way, way) + 0.01f);
    pull += way * (other.w * inverse * inverse * inverse);
  }
  velocity[i].xyz += pull * step;
  moved[i] = own + velocity[i] * step;
}
