// k-means clustering (Lloyd's algorithm): the device assigns points to centres, the host moves the
// centres. The host gives CLUSTERS, the number of centres.
//
// The global size is the number of points, rounded up to whole work-groups of any size.

#define FEATURES_AT_ONCE 16
#define TILE_ROW (FEATURES_AT_ONCE + 1) // odd: a column of the tile hits distinct banks

// From point-major (the features of a point side by side) to feature-major (a feature of all
// points side by side), so that neighbouring work-items of kmeansPoint read neighbouring numbers.
// Goes through local memory, for both sides to be accessed in order. `tile` holds
// TILE_ROW numbers per work-item.
kernel void invert_mapping(const global float *restrict points, global float *restrict features,
                           local float *restrict tile, const uint point_count,
                           const uint feature_count) {
  const size_t lane = get_local_id(0);
  const size_t lanes = get_local_size(0);
  const size_t first_point = get_group_id(0) * lanes;
  const size_t point = get_global_id(0);

  for (uint first = 0; first < feature_count; first += FEATURES_AT_ONCE) {
    const uint width = min((uint)FEATURES_AT_ONCE, feature_count - first);
    for (size_t i = lane; i < lanes * FEATURES_AT_ONCE; i += lanes) {
      const size_t row = i / FEATURES_AT_ONCE;
      const size_t column = i % FEATURES_AT_ONCE;
      if (first_point + row < point_count && column < width)
        tile[row * TILE_ROW + column] =
            points[(first_point + row) * feature_count + first + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (point < point_count)
      for (size_t column = 0; column < width; ++column)
        features[(first + column) * point_count + point] = tile[lane * TILE_ROW + column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// The centre that is nearest to each point by squared Euclidean distance; of several equally near
// ones, the first. A feature is read once and compared with all centres.
kernel void kmeansPoint(const global float *restrict features, constant float *restrict centres,
                        global int *restrict membership, const uint point_count,
                        const uint feature_count) {
  const size_t point = get_global_id(0);
  if (point >= point_count)
    return;

  float distance[CLUSTERS];
#pragma unroll
  for (uint cluster = 0; cluster < CLUSTERS; ++cluster)
    distance[cluster] = 0.0f;
  for (uint feature = 0; feature < feature_count; ++feature) {
    const float value = features[feature * point_count + point];
#pragma unroll
    for (uint cluster = 0; cluster < CLUSTERS; ++cluster) {
      const float difference = value - centres[cluster * feature_count + feature];
      distance[cluster] += difference * difference;
    }
  }

  int nearest = 0;
#pragma unroll
  for (int cluster = 1; cluster < CLUSTERS; ++cluster)
    if (distance[cluster] < distance[nearest])
      nearest = cluster;
  membership[point] = nearest;
}
