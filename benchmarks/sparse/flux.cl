// The upwind flux (Roe) of Burgers' equation through an edge of the mesh, from the states of the two
// nodes: the mean of the nodes' fluxes u^2 / 2, less the wave speed times the jump.
static float edge_flux(const float left, const float right, const float area) {
  const float speed = fabs(0.5f * (left + right));
  return area * (0.25f * (left * left + right * right) - 0.5f * speed * (right - left));
}
