// Calls an algorithm of Boost.Compute: boost_compute ALGORITHM N. Build with -lOpenCL.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <boost/compute/algorithm/copy.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/max_element.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/transform.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/core.hpp>
#include <boost/compute/functional/math.hpp>
#include <boost/compute/random/default_random_engine.hpp>
#include <iostream>
#include <string>
namespace compute = boost::compute;
int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " sort|reduce|scan|max|random N\n";
    return 2;
  }
  const std::string what = argv[1];
  const size_t n = std::stoul(argv[2]);
  compute::device device = compute::system::default_device();
  compute::context context(device);
  compute::command_queue queue(context, device);
  std::vector<int> host(n);
  for (size_t i = 0; i < n; ++i)
    host[i] = (i * 7919u + 13u) % 65521u;
  compute::vector<int> v(host.begin(), host.end(), queue);
  if (what == "sort")
    compute::sort(v.begin(), v.end(), queue);
  if (what == "reduce") {
    int sum = 0;
    compute::reduce(v.begin(), v.end(), &sum, queue);
    std::cout << sum << "\n";
  }
  if (what == "scan")
    compute::inclusive_scan(v.begin(), v.end(), v.begin(), queue);
  if (what == "max")
    std::cout << *compute::max_element(v.begin(), v.end(), queue) << "\n";
  if (what == "random") {
    compute::vector<unsigned> r(n, context);
    compute::default_random_engine engine(queue);
    engine.generate(r.begin(), r.end(), queue);
  }
  compute::copy(v.begin(), v.end(), host.begin(), queue);
  std::cout << host[n / 2] << "\n";
}
