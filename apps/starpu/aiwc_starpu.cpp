#include "aiwc_starpu.h"

#include <CL/cl.h>
#include <aiwc.h>
#include <starpu_opencl.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace {

template <auto Free> struct Freed {
  template <typename Handle> void operator()(Handle *handle) const { Free(handle); }
};
using Library = std::unique_ptr<aiwc_device_library, Freed<aiwc_device_library_free>>;
using Annotations = std::unique_ptr<aiwc_annotations, Freed<aiwc_annotations_free>>;
using Profile = std::unique_ptr<aiwc_profile, Freed<aiwc_profile_free>>;

/// What a worker executes on: a kind and, for OpenCL, a number of StarPU's.
struct Place {
  starpu_worker_archtype kind{};
  int device = 0;

  bool operator==(const Place &) const = default;
  bool operator<(const Place &other) const {
    return std::tie(kind, device) < std::tie(other.kind, other.device);
  }
};

enum class Quantity { kTime, kEnergy };

/// An NDRange, and the place where it is executed.
struct Query {
  std::array<size_t, 3> global{}, local{};
  unsigned dimensions = 0;
  Place place;

  bool operator==(const Query &) const = default;
};

struct QueryHash {
  size_t operator()(const Query &query) const {
    size_t hash = query.dimensions;
    const auto add = [&](size_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15U; };
    for (size_t d = 0; d < 3; ++d) {
      add(query.global[d]);
      add(query.local[d]);
    }
    add(static_cast<size_t>(query.place.kind));
    add(static_cast<size_t>(query.place.device));
    return hash ^ hash >> 32U;
  }
};

/// A line for people, whatever a message of OpenCL's or a name contains.
std::string asLine(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      c = ' ';
  return text;
}

Place placeOf(int worker) {
  const starpu_worker_archtype kind = starpu_worker_get_type(worker);
  return {kind, kind == STARPU_CPU_WORKER ? 0 : starpu_worker_get_devid(worker)};
}

std::string openclName(int number) {
  cl_device_id device = nullptr;
  starpu_opencl_get_device(number, &device);
  std::array<char, 1024> name{};
  if (!device ||
      clGetDeviceInfo(device, CL_DEVICE_NAME, name.size() - 1, name.data(), nullptr) != CL_SUCCESS)
    return "";
  return name.data();
}

} // namespace

struct aiwc_starpu {
  Library library; ///< null where device files could not be read
  aiwc_starpu_message message = nullptr;
  void *messageData = nullptr;

  std::mutex placesMutex;                      ///< of the two members below
  std::map<Place, const aiwc_device *> named;  ///< a device of -1 stands for all of its kind
  std::map<Place, const aiwc_device *> places; ///< those of all workers; null: no profile

  std::mutex mutex; ///< of the members below
  std::set<std::string> said;
  std::vector<std::unique_ptr<struct Model>> models;

  void say(const std::string &text) {
    const std::string line = asLine("aiwc: " + text);
    {
      const std::scoped_lock lock(mutex);
      if (!said.insert(line).second)
        return;
    }
    if (message)
      message(line.c_str(), messageData);
    else
      std::fprintf(stderr, "%s\n", line.c_str());
  }

  const aiwc_device *deviceAt(const Place &place);
  /// The devices of all workers; empty without device profiles.
  std::map<Place, const aiwc_device *> findPlaces();
};

/// A model of StarPU's with what belongs to it. StarPU passes a task to the functions of a model,
/// and the codelet of the task points to the model, so to the first member here.
struct Model {
  starpu_perfmodel perfmodel{};
  aiwc_starpu *owner = nullptr;
  std::string symbol, kernel;
  int (*launch)(starpu_task *, aiwc_starpu_launch *) = nullptr;
  Annotations annotations;
  Quantity quantity = Quantity::kTime;
  std::map<Place, const aiwc_device *> devices;

  std::shared_mutex mutex;
  std::unordered_map<Query, double, QueryHash> known;

  static Model &of(starpu_perfmodel *perfmodel) {
    static_assert(std::is_standard_layout_v<starpu_perfmodel>);
    return *reinterpret_cast<Model *>(perfmodel);
  }

  std::optional<Query> queryFor(starpu_task *task, const Place &place) const;
  /// Null where there is none; aiwc_error_message says why.
  Profile profileFor(const Query &query) const;
  double predict(const Query &query) const;
  double cost(starpu_task *task, const starpu_perfmodel_arch *arch);
};

const aiwc_device *aiwc_starpu::deviceAt(const Place &place) {
  for (const int device : {place.device, -1})
    if (const auto found = named.find({place.kind, device}); found != named.end())
      return found->second;
  const aiwc_device *device = nullptr;
  const bool isCpu = place.kind == STARPU_CPU_WORKER;
  const char *const variable = isCpu ? "AIWC_STARPU_CPU" : "AIWC_STARPU_OPENCL";
  const char *const id = std::getenv(variable);
  if (id && *id && (isCpu || place.kind == STARPU_OPENCL_WORKER)) {
    if (aiwc_device_find(library.get(), id, &device) != AIWC_OK)
      say(std::string(variable) + ": " + aiwc_error_message());
  } else if (isCpu) {
    say("no device file for StarPU's CPU workers: expected its id in AIWC_STARPU_CPU");
  } else if (place.kind == STARPU_OPENCL_WORKER) {
    const std::string name = openclName(place.device);
    if (aiwc_device_match(library.get(), name.c_str(), &device) != AIWC_OK)
      say("no device file for StarPU's OpenCL device " + std::to_string(place.device) + ": " +
          aiwc_error_message());
  } else {
    say("StarPU has workers that are neither CPU nor OpenCL workers: no device file");
  }
  return device;
}

std::map<Place, const aiwc_device *> aiwc_starpu::findPlaces() {
  const std::scoped_lock lock(placesMutex);
  if (!library || !places.empty())
    return places;
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
    const Place place = placeOf(static_cast<int>(worker));
    if (!places.contains(place))
      places[place] = deviceAt(place);
  }
  return places;
}

/// None if the number of dimensions is wrong.
static std::optional<Query> queryOf(const aiwc_starpu_launch &launch, const Place &place) {
  if (launch.work_dim < 1 || launch.work_dim > 3)
    return std::nullopt;
  Query query{{1, 1, 1}, {}, launch.work_dim, place};
  for (unsigned d = 0; d < launch.work_dim; ++d) {
    query.global[d] = launch.global_size[d];
    query.local[d] = launch.local_size[d];
  }
  return query;
}

std::optional<Query> Model::queryFor(starpu_task *task, const Place &place) const {
  aiwc_starpu_launch asked{};
  return launch(task, &asked) == 0 ? queryOf(asked, place) : std::nullopt;
}

Profile Model::profileFor(const Query &query) const {
  const bool anyLocal = query.local == std::array<size_t, 3>{};
  aiwc_profile *found = nullptr;
  aiwc_annotations_find(annotations.get(), kernel.c_str(), query.dimensions, query.global.data(),
                        anyLocal ? nullptr : query.local.data(), &found, nullptr,
                        sizeof(aiwc_match));
  return Profile(found);
}

double Model::predict(const Query &query) const {
  const auto device = devices.find(query.place);
  if (device == devices.end() || !device->second)
    return NAN;
  const Profile profile = profileFor(query);
  aiwc_prediction prediction{};
  if (!profile || aiwc_predict(profile.get(), device->second, nullptr, &prediction,
                               sizeof prediction) != AIWC_OK) {
    owner->say(symbol + ": " + aiwc_error_message() + "; StarPU knows nothing of such tasks");
    return NAN;
  }
  return quantity == Quantity::kTime ? prediction.seconds * 1e6 : prediction.energy_joules;
}

double Model::cost(starpu_task *task, const starpu_perfmodel_arch *arch) {
  if (arch->ndevices != 1)
    return NAN; // a task on several devices at once
  Place place{arch->devices[0].type, 0};
  if (place.kind != STARPU_CPU_WORKER)
    place.device = arch->devices[0].devid;
  else if (arch->devices[0].ncores != 1)
    return NAN; // a parallel task on several cores
  const std::optional<Query> query = queryFor(task, place);
  if (!query) {
    owner->say(symbol + ": its NDRange is not known; StarPU knows nothing of such tasks");
    return NAN;
  }
  {
    const std::shared_lock lock(mutex);
    if (const auto found = known.find(*query); found != known.end())
      return found->second;
  }
  const double value = predict(*query);
  const std::unique_lock lock(mutex);
  return known.emplace(*query, value).first->second;
}

namespace {

/// What StarPU calls. No exception may pass through it.
template <typename Work> double guarded(Work work) noexcept {
  try {
    return work();
  } catch (...) { // no memory
    return NAN;
  }
}

double timeOf(starpu_task *task, starpu_perfmodel_arch *arch, unsigned) {
  return guarded([&] { return Model::of(task->cl->model).cost(task, arch); });
}

double energyOf(starpu_task *task, starpu_perfmodel_arch *arch, unsigned) {
  return guarded([&] { return Model::of(task->cl->energy_model).cost(task, arch); });
}

/// Why StarPU has to measure for itself; empty if it need not.
std::string whyUnknown(const Model &model) {
  if (!model.owner->library)
    return "there are no device files";
  if (!model.launch)
    return "its NDRange is not known: expected a function in `launch`";
  for (const auto &[place, device] : model.devices)
    if (!device)
      return "a worker has no device file";
  const size_t count = aiwc_annotations_count(model.annotations.get());
  aiwc_annotation annotation{};
  for (size_t i = 0; i < count; ++i)
    if (aiwc_annotations_at(model.annotations.get(), i, &annotation, sizeof annotation) ==
            AIWC_OK &&
        model.kernel == annotation.kernel)
      return annotation.stale ? "its profile is of another version of its source" : "";
  if (aiwc_annotations_rejected(model.annotations.get()) > 0)
    return aiwc_annotations_reason(model.annotations.get(), 0);
  return "its code has no profile of the kernel " + model.kernel;
}

std::unique_ptr<Model> modelOf(aiwc_starpu *starpu, const aiwc_starpu_kernel *kernel,
                               Quantity quantity) {
  auto model = std::make_unique<Model>();
  model->owner = starpu;
  model->quantity = quantity;
  if (kernel->symbol)
    model->symbol = kernel->symbol;
  if (kernel->name)
    model->kernel = kernel->name;
  model->launch = kernel->launch;
  aiwc_annotations *annotations = nullptr;
  if (kernel->code && aiwc_annotations_parse(kernel->code, kernel->code_bytes,
                                             model->symbol.c_str(), &annotations) == AIWC_OK)
    model->annotations.reset(annotations);
  model->devices = starpu->findPlaces();
  model->perfmodel.symbol = model->symbol.c_str();
  return model;
}

/// `wanted`: its type where StarPU need not measure for itself.
starpu_perfmodel *newModel(aiwc_starpu *starpu, const aiwc_starpu_kernel *kernel, Quantity quantity,
                           starpu_perfmodel_type wanted = STARPU_PER_ARCH) noexcept {
  try {
    std::unique_ptr<Model> model = modelOf(starpu, kernel, quantity);
    const std::string reason = whyUnknown(*model);
    if (!reason.empty())
      starpu->say(model->symbol + ": StarPU measures it: " + reason);
    model->perfmodel.type = reason.empty() ? wanted : STARPU_HISTORY_BASED;
    if (model->perfmodel.type == STARPU_PER_ARCH)
      model->perfmodel.arch_cost_function = quantity == Quantity::kTime ? timeOf : energyOf;
    const std::scoped_lock lock(starpu->mutex);
    starpu->models.push_back(std::move(model));
    return &starpu->models.back()->perfmodel;
  } catch (...) { // no memory
    return nullptr;
  }
}

} // namespace

aiwc_starpu *aiwc_starpu_open(const char *device_folder, aiwc_starpu_message message, void *data) {
  try {
    auto starpu = std::make_unique<aiwc_starpu>();
    starpu->message = message;
    starpu->messageData = data;
    aiwc_device_library *library = nullptr;
    if (aiwc_device_library_open(device_folder, &library) == AIWC_OK)
      starpu->library.reset(library);
    else
      starpu->say(aiwc_error_message());
    return starpu.release();
  } catch (...) { // no memory
    return nullptr;
  }
}

void aiwc_starpu_close(aiwc_starpu *starpu) {
  delete starpu;
}

int aiwc_starpu_name_device(aiwc_starpu *starpu, starpu_worker_archtype kind, int devid,
                            const char *id) {
  const aiwc_device *device = nullptr;
  try {
    if (!starpu->library || !id ||
        aiwc_device_find(starpu->library.get(), id, &device) != AIWC_OK) {
      starpu->say(starpu->library && id ? aiwc_error_message() : "there are no device files");
      return -1;
    }
    const std::scoped_lock lock(starpu->placesMutex);
    starpu->named[{kind, devid < 0 ? -1 : devid}] = device;
    return 0;
  } catch (...) { // no memory
    return -1;
  }
}

starpu_perfmodel *aiwc_starpu_time_model(aiwc_starpu *starpu, const aiwc_starpu_kernel *kernel) {
  return newModel(starpu, kernel, Quantity::kTime);
}

starpu_perfmodel *aiwc_starpu_energy_model(aiwc_starpu *starpu, const aiwc_starpu_kernel *kernel) {
  return newModel(starpu, kernel, Quantity::kEnergy);
}

starpu_perfmodel *aiwc_starpu_history_model(aiwc_starpu *starpu, const aiwc_starpu_kernel *kernel) {
  return newModel(starpu, kernel, Quantity::kTime, STARPU_HISTORY_BASED);
}

namespace {

/// Measurements without which StarPU does not use a history.
unsigned fewestMeasurements() {
  constexpr int kDefault = 10; // StarPU's own
  const char *const set = std::getenv("STARPU_CALIBRATE_MINIMUM");
  const int count = set ? std::atoi(set) : kDefault;
  return count > 0 ? static_cast<unsigned>(count) : 1;
}

/// The measurements that StarPU has of tasks like this one.
unsigned measurementsOf(starpu_perfmodel *perfmodel, starpu_task *task,
                        starpu_perfmodel_arch *arch) {
  const uint32_t footprint = starpu_task_footprint(perfmodel, task, arch, 0);
  const starpu_perfmodel_per_arch *const history =
      starpu_perfmodel_get_model_per_arch(perfmodel, arch, 0);
  for (const starpu_perfmodel_history_list *at = history->list; at; at = at->next)
    if (at->entry->footprint == footprint)
      return at->entry->nsample;
  return 0;
}

/// Seeds the history for the workers of this kind. Returns whether it did.
bool seedFor(Model &model, starpu_task *task, starpu_perfmodel_arch *arch, int worker) {
  const double predicted = model.cost(task, arch);
  if (std::isnan(predicted))
    return false;
  const auto measure = [&] {
    starpu_perfmodel_update_history(&model.perfmodel, task, arch, static_cast<unsigned>(worker), 0,
                                    predicted);
  };
  measure(); // loads what StarPU knows of earlier runs; StarPU ignores the first of a new history
  if (measurementsOf(&model.perfmodel, task, arch) > 0)
    return false;
  for (unsigned i = 0; i < fewestMeasurements(); ++i)
    measure();
  return true;
}

} // namespace

unsigned aiwc_starpu_seed(starpu_task *task) {
  unsigned seeded = 0;
  try {
    Model &model = Model::of(task->cl->model);
    std::set<Place> done;
    for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
      starpu_perfmodel_arch *const arch =
          starpu_worker_get_perf_archtype(static_cast<int>(worker), task->sched_ctx);
      const Place place{arch->devices[0].type, arch->devices[0].devid};
      if (starpu_worker_can_execute_task(worker, task, 0) && done.insert(place).second)
        seeded += seedFor(model, task, arch, static_cast<int>(worker));
    }
  } catch (...) { // no memory
  }
  return seeded;
}

namespace {

/// Returns why the launch cannot be divided; empty if it was.
std::string split(const Model &model, const aiwc_starpu_launch &launch, unsigned dimension,
                  const int *workers, unsigned count, size_t *items) {
  std::vector<const aiwc_device *> devices;
  for (unsigned i = 0; i < count; ++i) {
    const auto found = model.devices.find(placeOf(workers[i]));
    if (found == model.devices.end() || !found->second)
      return "a worker has no device file";
    devices.push_back(found->second);
  }
  const std::optional<Query> query = queryOf(launch, {});
  if (!query || dimension >= launch.work_dim || devices.empty())
    return "expected an NDRange, one of its dimensions, and workers";
  const Profile profile = model.profileFor(*query);
  if (!profile)
    return aiwc_error_message();
  aiwc_options *made = nullptr;
  if (aiwc_options_new(&made) != AIWC_OK)
    return aiwc_error_message();
  const std::unique_ptr<aiwc_options, Freed<aiwc_options_free>> options(made);
  std::vector<aiwc_share> shares(count);
  if (aiwc_options_set_dimension(made, static_cast<int>(dimension)) != AIWC_OK ||
      aiwc_split(profile.get(), devices.data(), count, made, shares.data(), sizeof(aiwc_share),
                 nullptr, sizeof(aiwc_division)) != AIWC_OK)
    return aiwc_error_message();
  for (unsigned i = 0; i < count; ++i)
    items[i] = shares[i].work_groups > 0 ? shares[i].global_size[dimension] : 0;
  return "";
}

} // namespace

int aiwc_starpu_split(starpu_perfmodel *model, const aiwc_starpu_launch *launch, unsigned dimension,
                      const int *workers, unsigned count, size_t *items) {
  try {
    const Model &own = Model::of(model);
    const std::string reason = split(own, *launch, dimension, workers, count, items);
    if (reason.empty())
      return 0;
    own.owner->say(own.symbol + ": a launch cannot be divided: " + reason);
  } catch (...) { // no memory
  }
  return -1;
}
