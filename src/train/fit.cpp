#include "train/fit.h"

#include "common/error.h"
#include "common/version.h"
#include "train/folds.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace aiwc::train {

using predict::Coefficients;
using predict::FittedModel;
using predict::kCoefficientCount;

namespace {

constexpr auto kTerms = static_cast<Eigen::Index>(kCoefficientCount);
constexpr auto kLaunch = static_cast<Eigen::Index>(predict::Coefficient::kLaunch);
/// The shortest time that a device was ever measured to take is little more than a launch: its
/// overhead is held to that time instead of to the class's. Of a time with transfers, only an upper
/// bound follows.
constexpr double kLaunchAnchor = 2;
constexpr double kLooseLaunch = 0.15;
const double kShortLaunch = std::log(kShortLaunchMicros);
/// Of the transfers of one application to those of others.
constexpr double kApplicationWeight = 1;
constexpr std::array kTransfers = {static_cast<Eigen::Index>(predict::Coefficient::kTransferBytes),
                                   static_cast<Eigen::Index>(predict::Coefficient::kTransferCalls)};
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
/// Devices have no parameters in common, so that most pairs of parameters have nothing to do with
/// one another.
using SparseMatrix = Eigen::SparseMatrix<double>;

/// The regularised least-squares problem of one fit. The parameters are the coefficients of the
/// classes, one after the other, then the deviations of the devices, then those of the transfers of
/// an application on a device. With a model, the classes keep its coefficients, and devices that it
/// knows are held to its deviations instead of to 0.
class Problem {
public:
  Problem(const TrainingSet &set, std::span<const FitRow> all, std::span<const size_t> rows,
          const FitOptions &options, const FittedModel *model = nullptr)
      : set_(set), all_(all), rows_(rows), model_(model) {
    std::vector<std::array<size_t, predict::kClocks.size()>> clockCounts;
    std::map<predict::DeviceClass, Eigen::Index> classIndex;
    std::map<size_t, Eigen::Index> deviceIndex;
    std::map<std::tuple<std::string, std::string, size_t>, Eigen::Index> applicationIndex;
    for (const size_t row : rows) {
      const size_t device = all[row].device;
      const auto deviceClass = predict::classOf(set.devices[device].profile);
      if (classIndex.try_emplace(deviceClass, std::ssize(classes)).second)
        classes.push_back(deviceClass);
      if (deviceIndex.try_emplace(device, std::ssize(devices)).second) {
        devices.push_back(device);
        shortest_.emplace_back();
        clockCounts.emplace_back();
      }
      ++clockCounts[static_cast<size_t>(deviceIndex[device])]
                   [static_cast<size_t>(set.workloads[all[row].workload].clock)];
      const bool transfers = hasTransfers(all[row]);
      Shortest &shortest = shortest_[static_cast<size_t>(deviceIndex[device])];
      if (all[row].lnShortestLaunch < shortest.lnMicros)
        shortest = {all[row].lnShortestLaunch, transfers, lnLaunchUnit(all[row])};
      classOfRow_.push_back(classIndex[deviceClass]);
      deviceOfRow_.push_back(deviceIndex[device]);
      const Workload &workload = set.workloads[all[row].workload];
      applicationOfRow_.push_back(
          transfers ? applicationIndex
                          .try_emplace({workload.dataSet, workload.application, device},
                                       std::ssize(applicationIndex))
                          .first->second
                    : kNone);
    }
    for (const auto &counts : clockCounts)
      clocks.push_back(
          predict::kClocks[static_cast<size_t>(std::ranges::max_element(counts) - counts.begin())]);
    applicationCount_ = std::ssize(applicationIndex);
    applicationsOfDevice_.resize(devices.size());
    for (const auto &[key, application] : applicationIndex)
      applicationsOfDevice_[static_cast<size_t>(deviceIndex[std::get<2>(key)])].push_back(
          application);
    regularise(options);
  }

  std::vector<predict::DeviceClass> classes;
  std::vector<size_t> devices;
  std::vector<predict::Clock> clocks; ///< of most times of `devices`

  Eigen::Index size() const { return firstApplication() + applicationCount_; }

  Vector start() const {
    Vector start = Vector::Zero(size());
    for (Eigen::Index i = 0; i < std::ssize(classes); ++i)
      start.segment(i * kTerms, kTerms) = priors();
    for (size_t i = 0; model_ && i < devices.size(); ++i) {
      const auto &profile = profileOf(devices[i]);
      start.segment(classPlace(profile), kTerms) = vectorOf(model_->classCoefficients(profile));
      start.segment(firstDevice() + static_cast<Eigen::Index>(i) * kTerms, kTerms) =
          priorDeviation(i);
    }
    return start;
  }

  /// The coefficients of a model of some of the classes and devices.
  Vector startAt(const FittedModel &model) const {
    Vector at = start();
    for (const predict::ClassCoefficients &row : model.classes)
      if (const auto found = std::ranges::find(classes, row.deviceClass); found != classes.end())
        at.segment((found - classes.begin()) * kTerms, kTerms) = vectorOf(row.values);
    for (const predict::DeviceDeviation &row : model.devices)
      if (const auto found = std::ranges::find_if(devices,
                                                  [&](size_t device) {
                                                    return set_.devices[device].dataSet ==
                                                               row.dataSet &&
                                                           profileOf(device).id == row.device;
                                                  });
          found != devices.end())
        at.segment(firstDevice() + (found - devices.begin()) * kTerms, kTerms) =
            vectorOf(row.values);
    return at;
  }

  /// The cost at `x` and, where asked for, the gradient and the Gauss-Newton matrix: its blocks of
  /// the classes, of the device of each, of the classes by devices, and of the devices'
  /// applications; nothing else is read or written.
  double cost(const Vector &x, Vector *gradient = nullptr, Matrix *hessian = nullptr) const {
    const Vector pull = regularisation_ * x - target_;
    double sum = pull.squaredNorm();
    if (gradient) {
      *gradient = regularisation_.transpose() * pull;
      startBlocks(*hessian);
    }
    for (const LaunchBound &bound : bounds_) {
      const double above = x[bound.classLaunch] + x[bound.deviceLaunch] - bound.lnMicros;
      if (above <= 0)
        continue;
      constexpr double kSquare = kLaunchAnchor * kLaunchAnchor;
      sum += kSquare * above * above;
      if (!gradient)
        continue;
      for (const Eigen::Index a : {bound.classLaunch, bound.deviceLaunch}) {
        (*gradient)[a] += kSquare * above;
        for (const Eigen::Index b : {bound.classLaunch, bound.deviceLaunch})
          (*hessian)(a, b) += kSquare;
      }
    }
    predict::CoefficientTimes times{};
    Eigen::Map<Eigen::Matrix<double, kTerms, 1>> slope(times.data());
    for (size_t i = 0; i < rows_.size(); ++i) {
      const FitRow &row = all_[rows_[i]];
      const Eigen::Index c = classOfRow_[i] * kTerms;
      const Eigen::Index d = firstDevice() + deviceOfRow_[i] * kTerms;
      const Eigen::Index a =
          applicationOfRow_[i] == kNone ? kNone : firstApplication() + applicationOfRow_[i];
      double time = 0;
      for (Eigen::Index k = 0; k < kTerms; ++k) {
        const double unit = row.unit[static_cast<size_t>(k)];
        slope[k] = unit > 0 ? std::exp(x[c + k] + x[d + k]) * unit : 0;
      }
      if (a != kNone)
        for (const Eigen::Index k : kTransfers)
          slope[k] *= std::exp(x[a]);
      if (row.overlaps) // a part of the 2-norm is also the derivative by the ln of what it is of
        predict::overlapUnits(times);
      time = slope.sum();
      const double residual = std::log(time) - row.lnMicros;
      const double root = std::sqrt(1 + residual * residual);
      sum += 2 * (root - 1);
      if (!gradient)
        continue;
      slope /= time;
      const auto weighted = (slope / root).eval();
      gradient->segment(c, kTerms) += residual * weighted;
      gradient->segment(d, kTerms) += residual * weighted;
      const Eigen::Matrix<double, kTerms, kTerms> product = weighted * slope.transpose();
      hessian->block(c, c, kTerms, kTerms) += product;
      hessian->block(d, d, kTerms, kTerms) += product;
      hessian->block(c, d, kTerms, kTerms) += product;
      if (a == kNone)
        continue;
      double share = 0;
      for (const Eigen::Index k : kTransfers)
        share += slope[k];
      (*gradient)[a] += residual * share / root;
      (*hessian)(a, a) += share * share / root;
      for (const Eigen::Index other : {c, d})
        hessian->block(other, a, kTerms, 1) += share * weighted;
    }
    return sum;
  }

  /// The solution of (H + damping diag(H)) step = gradient. Devices have nothing to do with one
  /// another but for their classes: their parameters are eliminated first.
  Vector step(const Matrix &hessian, const Vector &gradient, double damping) const {
    const auto damped = [&](Matrix block) {
      block.diagonal() += damping * (block.diagonal().array() + 1e-6).matrix();
      return block;
    };
    struct Eliminated {
      Eigen::Index classPlace;
      std::vector<Eigen::Index> places;
      Vector own;
      Matrix ofClass;
    };
    Matrix ofClasses = damped(hessian.topLeftCorner(firstDevice(), firstDevice()));
    Vector left = gradient.head(firstDevice());
    std::vector<Eliminated> eliminated;
    for (size_t i = 0; i < devices.size(); ++i) {
      Eliminated device{classPlace(profileOf(devices[i])), placesOf(i), {}, {}};
      const Matrix upper = hessian(device.places, device.places);
      const Eigen::LDLT<Matrix> solver(damped(upper.selfadjointView<Eigen::Upper>()));
      const Matrix cross = hessian(Eigen::seqN(device.classPlace, kTerms), device.places);
      device.own = solver.solve(Vector(gradient(device.places)));
      device.ofClass = solver.solve(cross.transpose());
      ofClasses.block(device.classPlace, device.classPlace, kTerms, kTerms) -=
          cross * device.ofClass;
      left.segment(device.classPlace, kTerms) -= cross * device.own;
      eliminated.push_back(std::move(device));
    }
    Vector step = Vector::Zero(size());
    if (!model_) // otherwise the classes stay
      step.head(firstDevice()) = ofClasses.ldlt().solve(left);
    for (const Eliminated &device : eliminated)
      step(device.places) = device.own - device.ofClass * step.segment(device.classPlace, kTerms);
    return step;
  }

  Eigen::Index firstDevice() const { return kTerms * std::ssize(classes); }
  Eigen::Index firstApplication() const { return firstDevice() + deviceCount() * kTerms; }
  /// ln of the shortest single launch of a device that has no transfers; none where the shortest
  /// has some.
  std::optional<double> lnShortestLaunch(size_t device) const {
    const Shortest &shortest = shortest_[device];
    return std::isinf(shortest.lnMicros) || shortest.hasTransfers
               ? std::nullopt
               : std::optional(shortest.lnMicros);
  }

  /// ln of the unit time of a launch of a device, in the protocol of its times.
  double lnUnitOfLaunch(size_t device) const { return shortest_[device].lnUnit; }

private:
  static constexpr Eigen::Index kNone = -1;
  struct Shortest {
    double lnMicros = std::numeric_limits<double>::infinity();
    bool hasTransfers = false;
    double lnUnit = 0; ///< ln of the unit time of a launch
  };
  /// The launch overhead of a device is at most this.
  struct LaunchBound {
    Eigen::Index classLaunch, deviceLaunch;
    double lnMicros;
  };

  const predict::DeviceProfile &profileOf(size_t device) const {
    return set_.devices[device].profile;
  }

  Eigen::Index deviceCount() const { return std::ssize(devices); }

  /// Of a device's parameters: its deviations and those of its applications.
  std::vector<Eigen::Index> placesOf(size_t device) const {
    std::vector<Eigen::Index> places(kTerms);
    std::iota(places.begin(), places.end(),
              firstDevice() + static_cast<Eigen::Index>(device) * kTerms);
    for (const Eigen::Index application : applicationsOfDevice_[device])
      places.push_back(firstApplication() + application);
    return places;
  }

  /// The blocks that cost() adds to, as the regularisation has them.
  void startBlocks(Matrix &hessian) const {
    if (hessian.size() == 0) {
      hessian = normal_;
      return;
    }
    hessian.topLeftCorner(firstDevice(), firstDevice()) =
        normal_.topLeftCorner(firstDevice(), firstDevice());
    for (size_t i = 0; i < devices.size(); ++i) {
      const Eigen::Index classAt = classPlace(profileOf(devices[i]));
      for (const Eigen::Index column : placesOf(i)) {
        for (const Eigen::Index row : placesOf(i))
          hessian(row, column) = normal_(row, column);
        hessian.col(column).segment(classAt, kTerms) = normal_.col(column).segment(classAt, kTerms);
      }
    }
  }

  /// Of the first parameter of the device's class.
  Eigen::Index classPlace(const predict::DeviceProfile &device) const {
    return (std::ranges::find(classes, predict::classOf(device)) - classes.begin()) * kTerms;
  }

  static Vector vectorOf(const Coefficients &values) {
    return Eigen::Map<const Vector>(values.data(), kTerms);
  }

  /// What is known of a device before its times are.
  Vector priorDeviation(size_t i) const {
    return model_ ? vectorOf(model_->publishedDeviation(profileOf(devices[i]).id, clocks[i]))
                  : Vector::Zero(kTerms);
  }

  static Vector priors() {
    Vector values(kTerms);
    for (Eigen::Index k = 0; k < kTerms; ++k)
      values[k] = predict::coefficients()[static_cast<size_t>(k)].priorMean;
    return values;
  }

  /// What the coefficient of the launches of the device at place i is held to, from its shortest
  /// measured launch; infinite for nothing. The few times of an update may all be of long launches:
  /// these say nothing where the model knows of shorter ones.
  double launchAnchor(size_t i) const {
    constexpr double kNothing = std::numeric_limits<double>::infinity();
    const double coefficient = shortest_[i].lnMicros - shortest_[i].lnUnit;
    if (!model_) // published times may all be of long kernels
      return shortest_[i].lnMicros < kShortLaunch ? coefficient : kNothing;
    const predict::DeviceProfile &device = profileOf(devices[i]);
    if (predict::hasMeasuredLaunchOverhead(device))
      return std::min(coefficient, std::log(device[predict::Parameter::kLaunchOverhead] /
                                            predict::launchMicros(device, clocks[i])));
    const double known = model_->classCoefficients(device)[kLaunch] +
                         model_->publishedDeviation(device.id, clocks[i])[kLaunch];
    return coefficient <= known ? coefficient : kNothing;
  }

  void regularise(const FitOptions &options) {
    const auto classCount = static_cast<Eigen::Index>(std::ssize(classes));
    const Eigen::Index equations =
        deviceCount() * (kTerms + 1) + (classCount + 1) * kTerms + applicationCount_;
    std::vector<Eigen::Triplet<double>> entries;
    const auto set = [&](Eigen::Index row, Eigen::Index column, double value) {
      entries.emplace_back(row, column, value); // those of one place add up
    };
    target_ = Vector::Zero(equations);
    Eigen::Index at = 0;
    // The owner of a device who updates a model for it may have one whose memory is slower than its
    // data sheet says.
    const auto ofDevice = [isUpdate = model_ != nullptr](Eigen::Index k) {
      const double weight = predict::coefficients()[static_cast<size_t>(k)].deviceWeight;
      return isUpdate ? std::min(1.0, weight) : weight;
    };
    // What physics fixes differs little between classes.
    const auto ofClass = [&](Eigen::Index k) {
      const predict::CoefficientInfo &term = predict::coefficients()[static_cast<size_t>(k)];
      return std::max(term.deviceWeight, term.priorWeight / 3);
    };
    for (Eigen::Index i = 0; i < deviceCount(); ++i) {
      const auto device = static_cast<size_t>(i);
      const predict::DeviceProfile &profile = profileOf(devices[device]);
      const Eigen::Index classLaunch = classPlace(profile) + kLaunch;
      const Eigen::Index deviceLaunch = firstDevice() + i * kTerms + kLaunch;
      const double anchor =
          lnShortestLaunch(device) ? launchAnchor(device) : std::numeric_limits<double>::infinity();
      const bool anchored = !std::isinf(anchor);
      const Vector centre = priorDeviation(device);
      for (Eigen::Index k = 0; k < kTerms; ++k, ++at) {
        const double weight =
            options.deviceWeight * (k == kLaunch && anchored ? kLooseLaunch : ofDevice(k));
        set(at, firstDevice() + i * kTerms + k, weight);
        target_[at] = weight * centre[k];
      }
      if (anchored) {
        set(at, classLaunch, kLaunchAnchor);
        set(at, deviceLaunch, kLaunchAnchor);
        target_[at++] = kLaunchAnchor * anchor;
      } else if (!std::isinf(shortest_[device].lnMicros)) {
        bounds_.push_back(
            {classLaunch, deviceLaunch, shortest_[device].lnMicros - shortest_[device].lnUnit});
      }
    }
    for (Eigen::Index i = 0; i < applicationCount_; ++i)
      set(at++, firstApplication() + i, kApplicationWeight);
    const double share = 1.0 / static_cast<double>(classCount);
    for (Eigen::Index i = 0; i < classCount; ++i)
      for (Eigen::Index k = 0; k < kTerms; ++k, ++at) {
        const double weight = options.classWeight * ofClass(k);
        for (Eigen::Index j = 0; j < classCount; ++j)
          set(at, j * kTerms + k, -weight * share);
        set(at, i * kTerms + k, weight);
      }
    for (Eigen::Index k = 0; k < kTerms; ++k, ++at) {
      const predict::CoefficientInfo &term = predict::coefficients()[static_cast<size_t>(k)];
      const double weight = options.priorWeight * term.priorWeight;
      for (Eigen::Index j = 0; j < classCount; ++j)
        set(at, j * kTerms + k, weight * share);
      target_[at] = weight * term.priorMean;
    }
    regularisation_.resize(equations, size());
    regularisation_.setFromTriplets(entries.begin(), entries.end());
    normal_ = Matrix(SparseMatrix(regularisation_.transpose() * regularisation_));
  }

  const TrainingSet &set_;
  std::span<const FitRow> all_;
  std::span<const size_t> rows_;
  const FittedModel *model_;
  std::vector<Eigen::Index> classOfRow_, deviceOfRow_, applicationOfRow_;
  Eigen::Index applicationCount_ = 0;
  std::vector<std::vector<Eigen::Index>> applicationsOfDevice_;
  std::vector<Shortest> shortest_; ///< by device
  std::vector<LaunchBound> bounds_;
  SparseMatrix regularisation_;
  Matrix normal_;
  Vector target_;
};

/// Levenberg-Marquardt with Marquardt's scaling.
Vector minimise(const Problem &problem, Vector x) {
  constexpr int kMostSteps = 60;
  constexpr int kMostDampings = 10;
  constexpr double kConverged = 1e-6; // relative gain of a step
  Vector gradient;
  Matrix hessian;
  double damping = 1e-2;
  double cost = problem.cost(x, &gradient, &hessian);
  for (int step = 0; step < kMostSteps; ++step) {
    bool better = false;
    double gain = 0;
    for (int i = 0; i < kMostDampings && !better; ++i) {
      const Vector next = x - problem.step(hessian, gradient, damping);
      const double nextCost = problem.cost(next);
      better = nextCost < cost;
      if (better) {
        gain = cost - nextCost;
        x = next;
      } else {
        damping *= 4;
      }
    }
    if (!better || gain < kConverged * cost)
      break;
    damping = std::max(damping / 3, 1e-6);
    cost = problem.cost(x, &gradient, &hessian);
  }
  return x;
}

Coefficients coefficientsAt(const Vector &x, Eigen::Index first) {
  Coefficients values{};
  for (Eigen::Index k = 0; k < kTerms; ++k)
    values[static_cast<size_t>(k)] = x[first + k];
  return values;
}

} // namespace

std::vector<FitRow> fitRows(const TrainingSet &set, const FitOptions &options) {
  std::vector<FitRow> rows;
  for (const MeasuredTime &time : set.times) {
    const Workload &workload = set.workloads[time.workload];
    const predict::DeviceProfile &device = set.devices[time.device].profile;
    FitRow row;
    row.device = time.device;
    row.workload = time.workload;
    row.overlaps = predict::isGpu(device);
    row.lnMicros = std::log(time.micros);
    row.launches = 0;
    bool first = true;
    for (const LaunchCount &launch : workload.launches) {
      predict::LaunchDemand demand = predict::demandOf(*launch.profile);
      demand.hostBytes = first ? workload.hostBytes / launch.launches : 0;
      demand.hostTransfers = first ? workload.hostTransfers / launch.launches : 0;
      first = false;
      const predict::CoefficientTimes unit =
          predict::byCoefficient(predict::unitTimes(demand, device, true, workload.clock));
      row.launches += launch.launches;
      for (size_t k = 0; k < kCoefficientCount; ++k)
        row.unit[k] += launch.launches * unit[k];
    }
    if (time.shortestLaunchMicros)
      row.lnShortestLaunch = std::log(*time.shortestLaunchMicros);
    else if (row.launches == 1) // several may overlap
      row.lnShortestLaunch = row.lnMicros;
    for (size_t k = 0; k < options.without.size(); ++k)
      if (options.without[k])
        row.unit[k] = 0;
    rows.push_back(row);
  }
  return rows;
}

FittedModel fit(const TrainingSet &set, std::span<const FitRow> all, std::span<const size_t> rows,
                const FitOptions &options, const FittedModel *near) {
  if (rows.empty())
    throw Error("training: no times: expected at least one");
  const Problem problem(set, all, rows, options);
  const Vector x = minimise(problem, near ? problem.startAt(*near) : problem.start());
  FittedModel model;
  model.toolVersion = kVersion;
  for (size_t i = 0; i < problem.classes.size(); ++i)
    model.classes.push_back(
        {problem.classes[i], coefficientsAt(x, static_cast<Eigen::Index>(i) * kTerms)});
  std::ranges::sort(model.classes, {}, &predict::ClassCoefficients::deviceClass);
  std::map<size_t, uint64_t> timesOf;
  for (const size_t row : rows)
    ++timesOf[all[row].device];
  double above = 0;
  size_t anchored = 0;
  for (size_t i = 0; i < problem.devices.size(); ++i) {
    const MeasuredDevice &device = set.devices[problem.devices[i]];
    model.devices.push_back(
        {device.profile.id, device.dataSet,
         coefficientsAt(x, problem.firstDevice() + static_cast<Eigen::Index>(i) * kTerms),
         timesOf[problem.devices[i]], problem.clocks[i]});
    if (const auto shortest = problem.lnShortestLaunch(i); shortest && *shortest < kShortLaunch) {
      above += model.coefficientsFor(device.profile, device.dataSet, problem.clocks[i])[kLaunch] +
               problem.lnUnitOfLaunch(i) - *shortest;
      ++anchored;
    }
  }
  model.launchAboveShortest = anchored > 0 ? above / static_cast<double>(anchored) : 0;
  return model;
}

FittedModel update(const FittedModel &model, const TrainingSet &set, const FitOptions &options) {
  if (set.times.empty())
    throw Error("training: no times: expected at least one");
  const std::vector<FitRow> all = fitRows(set, options);
  std::vector<size_t> rows(all.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  const Problem problem(set, all, rows, options, &model);
  const Vector x = minimise(problem, problem.start());
  FittedModel result = model;
  result.toolVersion = kVersion;
  for (size_t i = 0; i < problem.devices.size(); ++i) {
    const std::string &id = set.devices[problem.devices[i]].profile.id;
    std::erase_if(result.devices, [&](const predict::DeviceDeviation &row) {
      return row.device == id && row.dataSet == predict::kOwnMeasurements;
    });
    const auto times = std::ranges::count(all, problem.devices[i], &FitRow::device);
    result.devices.push_back(
        {id, std::string(predict::kOwnMeasurements),
         coefficientsAt(x, problem.firstDevice() + static_cast<Eigen::Index>(i) * kTerms),
         static_cast<uint64_t>(times), problem.clocks[i]});
  }
  return result;
}

double lnLaunchUnit(const FitRow &row) {
  return std::log(row.unit[static_cast<size_t>(kLaunch)] / row.launches);
}

bool hasTransfers(const FitRow &row) {
  return std::ranges::any_of(kTransfers,
                             [&](auto k) { return row.unit[static_cast<size_t>(k)] > 0; });
}

predict::PartTimes predictedParts(const FittedModel &model, const TrainingSet &set,
                                  const FitRow &row, double lnShortestOverUnit) {
  const MeasuredDevice &device = set.devices[row.device];
  Coefficients coefficients =
      model.coefficientsFor(device.profile, device.dataSet, set.workloads[row.workload].clock);
  if (std::isfinite(lnShortestOverUnit))
    coefficients[kLaunch] = lnShortestOverUnit + model.launchAboveShortest;
  predict::CoefficientTimes times{};
  for (size_t k = 0; k < kCoefficientCount; ++k)
    times[k] = row.unit[k] * std::exp(coefficients[k]);
  if (row.overlaps)
    predict::overlapUnits(times);
  return predict::errorPartsOf(times);
}

double lnPredicted(const FittedModel &model, const TrainingSet &set, const FitRow &row,
                   double lnShortestOverUnit) {
  return lnOf(predictedParts(model, set, row, lnShortestOverUnit));
}

FittedModel train(const TrainingSet &set, const FitOptions &options) {
  const std::vector<FitRow> rows = fitRows(set, options);
  const std::vector<size_t> used = withoutDoubt(set);
  std::set<std::string> applications;
  std::set<std::string> devices;
  for (const size_t row : used) {
    const Workload &workload = set.workloads[set.times[row].workload];
    applications.insert(workload.dataSet + "/" + workload.application);
    devices.insert(set.devices[set.times[row].device].profile.id);
  }
  if (applications.size() < 2)
    throw Error(fmt::format("training: times of {} application{}: expected two or more, to tell "
                            "how well the model does on another one",
                            applications.size(), applications.size() == 1 ? "" : "s"));
  if (devices.size() < 2)
    throw Error("training: times of one device: expected two or more, to tell how well the model "
                "does on another one");
  FittedModel model = fit(set, rows, used, options);
  for (const Workload &workload : set.workloads)
    if (workload.doubt.empty())
      for (const LaunchCount &launches : workload.launches)
        predict::include(predict::demandOf(*launches.profile), model.seen);
  model.applications.assign(applications.begin(), applications.end());
  const auto leftOut = [&](LeaveOut what) { return leaveOneOut(set, rows, used, what, options); };
  const std::vector<predict::PartTimes> known = leftOut(LeaveOut::kApplication);
  model.errorCorrelation = errorCorrelationOf(rows, used, lnOf(known));
  model.classCorrelation = classCorrelationOf(set, rows, used, lnOf(known));
  model.knownDevice = errorFactorsOf(set, rows, used, known);
  model.unknownDevice = errorFactorsOf(set, rows, used, leftOut(LeaveOut::kApplicationAndDevice));
  model.unknownDeviceMeasuredLaunch =
      errorFactorsOf(set, rows, used, leftOut(LeaveOut::kApplicationAndDeviceGivenLaunch));
  return model;
}

} // namespace aiwc::train
