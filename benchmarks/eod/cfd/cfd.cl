// The Euler equations of an ideal gas on an unstructured mesh of tetrahedra, by finite volumes: an
// element keeps the mean density, momentum and energy, and they change by what flows through its
// four faces.
//
// The flux through a face is that of Rusanov: the mean of the fluxes on both sides, and an upwind
// term in proportion to the fastest wave. Time goes on by a Runge-Kutta scheme of three stages, and
// by steps as large as each element allows, which leads to a steady flow: per step the host
// launches compute_step_factor once, then compute_flux and time_step three times.
//
// A work-item per element; the global size is rounded up to whole work-groups of any size. Every
// array is a structure of arrays, a number of all elements side by side, so that neighbouring
// work-items read neighbouring numbers; only the states of the neighbours are gathered.
//
// No sum depends on the local size, and no multiplication is fused with an addition: neither does
// the result, to the bit.

#pragma OPENCL FP_CONTRACT OFF

#define FACES 4
#define VARIABLES 5
#define GAMMA 1.4f // the ratio of specific heats of air
#define COURANT 0.8f

// What a face may have on its other side in place of an element.
#define WING (-1)
#define FAR_FIELD (-2)

// Not float3: work-items are what a device has to fill its vectors with. Not dot() either, for the
// additions to have an order.
typedef struct {
  float x;
  float y;
  float z;
} Vector;

typedef struct {
  float density;
  Vector momentum;
  float energy; // per volume, of motion included
  Vector velocity;
  float pressure;
  float sound; // its speed
} State;

static float inner(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Of element `element` of `elements`.
static State load_state(const global float *restrict variables, size_t element, size_t elements) {
  State state;
  state.density = variables[element];
  state.momentum.x = variables[elements + element];
  state.momentum.y = variables[2 * elements + element];
  state.momentum.z = variables[3 * elements + element];
  state.energy = variables[4 * elements + element];
  state.velocity.x = state.momentum.x / state.density;
  state.velocity.y = state.momentum.y / state.density;
  state.velocity.z = state.momentum.z / state.density;
  state.pressure =
      (GAMMA - 1.0f) * (state.energy - 0.5f * inner(state.momentum, state.velocity));
  state.sound = sqrt(GAMMA * state.pressure / state.density);
  return state;
}

// Points out of the element; its length is the area of the face.
static Vector load_normal(const global float *restrict normal, size_t face, size_t element,
                          size_t elements) {
  const size_t first = 3 * face * elements + element;
  const Vector result = {normal[first], normal[first + elements], normal[first + 2 * elements]};
  return result;
}

// The fastest wave across a face, times the area.
static float wave(State state, Vector normal) {
  return fabs(inner(state.velocity, normal)) + state.sound * sqrt(inner(normal, normal));
}

// What the flow carries through a face, and the upwind term, of one variable. The volumes are those
// that flow through it on both sides.
static float carried(float here, float there, float volume_here, float volume_there,
                     float fastest) {
  return 0.5f * (here * volume_here + there * volume_there - fastest * (there - here));
}

// Keeps the state at the beginning of the time step, and finds the largest step: its length over
// the element's volume.
kernel void compute_step_factor(const global float *restrict variables,
                                const global float *restrict normal,
                                global float *restrict old_variables,
                                global float *restrict step_factor, const uint elements) {
  const size_t element = get_global_id(0);
  if (element >= elements)
    return;

  for (size_t v = 0; v < VARIABLES; ++v)
    old_variables[v * elements + element] = variables[v * elements + element];

  const State state = load_state(variables, element, elements);
  float sum = 0.0f;
#pragma unroll
  for (size_t face = 0; face < FACES; ++face)
    sum += wave(state, load_normal(normal, face, element, elements));
  step_factor[element] = COURANT / sum;
}

// What leaves each element through its faces.
kernel void compute_flux(const global int *restrict neighbour, const global float *restrict normal,
                         const global float *restrict variables,
                         const global float *restrict far_field, global float *restrict fluxes,
                         const uint elements) {
  const size_t element = get_global_id(0);
  if (element >= elements)
    return;

  const State here = load_state(variables, element, elements);
  float density_flux = 0.0f;
  Vector momentum_flux = {0.0f, 0.0f, 0.0f};
  float energy_flux = 0.0f;

#pragma unroll
  for (size_t face = 0; face < FACES; ++face) {
    const int other = neighbour[face * elements + element];
    const Vector n = load_normal(normal, face, element, elements);
    if (other == WING) { // nothing goes through it, but it is pushed
      momentum_flux.x += here.pressure * n.x;
      momentum_flux.y += here.pressure * n.y;
      momentum_flux.z += here.pressure * n.z;
      continue;
    }
    const State there =
        other == FAR_FIELD ? load_state(far_field, 0, 1) : load_state(variables, other, elements);
    const float volume = inner(here.velocity, n);
    const float volume_there = inner(there.velocity, n);
    const float fastest = fmax(wave(here, n), wave(there, n));
    const float pressure = 0.5f * (here.pressure + there.pressure);

    density_flux += carried(here.density, there.density, volume, volume_there, fastest);
    momentum_flux.x +=
        carried(here.momentum.x, there.momentum.x, volume, volume_there, fastest) + pressure * n.x;
    momentum_flux.y +=
        carried(here.momentum.y, there.momentum.y, volume, volume_there, fastest) + pressure * n.y;
    momentum_flux.z +=
        carried(here.momentum.z, there.momentum.z, volume, volume_there, fastest) + pressure * n.z;
    energy_flux += carried(here.energy, there.energy, volume, volume_there, fastest) +
                   0.5f * (here.pressure * volume + there.pressure * volume_there);
  }

  fluxes[element] = density_flux;
  fluxes[elements + element] = momentum_flux.x;
  fluxes[2 * elements + element] = momentum_flux.y;
  fluxes[3 * elements + element] = momentum_flux.z;
  fluxes[4 * elements + element] = energy_flux;
}

// One stage: from the state at the beginning of the step, by the step over `divisor`.
kernel void time_step(const global float *restrict old_variables,
                      const global float *restrict step_factor,
                      const global float *restrict fluxes, global float *restrict variables,
                      const uint elements, const uint divisor) {
  const size_t element = get_global_id(0);
  if (element >= elements)
    return;

  const float factor = step_factor[element] / (float)divisor;
#pragma unroll
  for (size_t v = 0; v < VARIABLES; ++v) {
    const size_t i = v * elements + element;
    variables[i] = old_variables[i] - factor * fluxes[i];
  }
}
