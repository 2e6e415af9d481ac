#include "extrapolate/extrapolate.h"

#include "common/error.h"
#include "extrapolate/access_laws.h"
#include "extrapolate/lane_model.h"
#include "extrapolate/reuse_law.h"
#include "extrapolate/row_instructions.h"
#include "metrics/shared/tally.h"
#include "profile/level_widths.h"
#include "profile/reuse.h"
#include "scaling/scaled_histograms.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

namespace aiwc::extrapolate {

namespace {

constexpr std::array kContention = {"atomic_contention_max"_metric,
                                    "atomic_line_contention_max"_metric};

using profile::AccessRow;
using profile::Histogram;
using profile::KernelProfile;
using profile::Metric;
using profile::Scaling;

/// By kLaneGroups.
constexpr std::array kUtilization{"lane_utilization_8"_metric, "lane_utilization_16"_metric,
                                  "lane_utilization_32"_metric, "lane_utilization_64"_metric};
constexpr std::array kFloatUtilization{
    "lane_utilization_fp_8"_metric, "lane_utilization_fp_16"_metric,
    "lane_utilization_fp_32"_metric, "lane_utilization_fp_64"_metric};

uint64_t rounded(double value) {
  constexpr double kMost = 9e18; // below 2^63
  return value > 0 ? static_cast<uint64_t>(std::min(std::round(value), kMost)) : 0;
}

bool isNone(const KernelProfile &profile, Metric metric) {
  return std::holds_alternative<std::monostate>(profile[metric]);
}

class Extrapolation {
public:
  Extrapolation(std::span<const SampleLaunch> samples, const Pattern &whole, GatherModels &models)
      : samples_(samples.begin(), samples.end()), whole_(whole), models_(models) {
    // The one with the most non-zeros is the nearest.
    std::ranges::stable_sort(samples_, [](const SampleLaunch &a, const SampleLaunch &b) {
      return (*a.pattern)[Quantity::kNonZeros] > (*b.pattern)[Quantity::kNonZeros];
    });
    for (const SampleLaunch &sample : samples_)
      observed_.push_back({sample.pattern, sample.profile->count("work_items"_metric),
                           sample.profile->count("work_group_size"_metric)});
  }

  Extrapolated result() {
    chooseItems();
    byRow_ = made_.items.each == 1 && made_.items.of &&
             (*made_.items.of == Quantity::kRows || *made_.items.of == Quantity::kNonEmptyRows);
    byVisit_ =
        made_.items.each == 1 && made_.items.of &&
        (*made_.items.of == Quantity::kNonZeros || *made_.items.of == Quantity::kOffDiagonal);
    terms_ = {made_.items, made_.loops.value_or(Quantity::kNonZeros)};
    to_ = nearest();
    setLaunch();
    wholeObserved_ = {&whole_, workItems_, made_.items.groupSize};
    findInnerLoop();
    setCounts();
    setInstructions();
    setDepths();
    setLevels();
    setMemory();
    boundUnique();
    setTables();
    derive();
    return std::move(made_);
  }

private:
  const KernelProfile &nearest() const { return *samples_.front().profile; }
  const Pattern &nearestPattern() const { return *samples_.front().pattern; }

  /// Finds a loop within the work on a non-zero, such as one that repeats an atomic operation until
  /// it succeeds, and a law for how often it goes round: as often each first time at a row, a
  /// column or a node, and as often each later time.
  void findInnerLoop() {
    const auto &loops = nearest().histograms.loops;
    for (size_t i = 0; byVisit_ && i < loops.size(); ++i) {
      std::vector<uint64_t> trips;
      for (const SampleLaunch &sample : samples_) {
        const auto &others = sample.profile->histograms.loops;
        trips.push_back(i < others.size() ? others[i].trips : 0);
      }
      if (trips.front() % std::max<uint64_t>(1, nearestPattern()[terms_.loops]) == 0)
        continue;
      // Of a symmetric matrix, as many rows have a non-zero as columns and nodes: then the gathers
      // tell which it is.
      std::optional<uint64_t> least; // mismatch of the gathers
      uint64_t wholeTrips = 0;
      using FirstAt = std::pair<Quantity, uint64_t>;
      for (const auto &[at, times] :
           {FirstAt{Quantity::kUsedNodes, 2}, FirstAt{Quantity::kNonEmptyRows, 1},
            FirstAt{Quantity::kUsedColumns, 1}}) {
        CountLaw::Terms terms = terms_;
        terms.firstAt = at;
        terms.timesAt = times;
        const CountLaw law = lawOf(terms, trips);
        if (!law.whole())
          continue;
        const std::optional<Quantity> other = std::exchange(innerFirstAt_, at);
        const std::optional<Accesses> accesses = bestAccesses();
        const uint64_t here = accesses ? mismatchOf(*accesses) : UINT64_MAX;
        if (least && here >= *least) {
          innerFirstAt_ = other;
          continue;
        }
        least = here;
        wholeTrips = rounded(law.on(wholeObserved_));
      }
      if (!least)
        continue;
      wholeObserved_.innerTrips = wholeTrips;
      for (size_t k = 0; k < observed_.size(); ++k)
        observed_[k].innerTrips = trips[k];
      return;
    }
  }

  /// Of the quantities that explain the work-items, the one that equals the most access counts
  /// outside of loops: a guard keeps the padding from them. Rows are not it where no loop goes
  /// through their non-zeros, if there is another one.
  void chooseItems() {
    made_.items = {std::nullopt, 1, observed_.front().groupSize};
    long best = -1;
    for (const WorkItems &items : workItemsOf(observed_)) {
      const auto madeAsOften = [&](const AccessRow &row) {
        return row.loop == 0 && row.accesses == nearestPattern()[*items.of] * items.each;
      };
      long score = nearest().accesses ? std::ranges::count_if(*nearest().accesses, madeAsOften) : 0;
      const WorkItems before = std::exchange(made_.items, items);
      const std::optional<Quantity> loops = loopsOf();
      // Of equal ones, the first with a loop.
      score = 2 * score + (loops ? 1 : 0);
      if (score > best) {
        best = score;
        made_.loops = loops;
      } else {
        made_.items = before;
      }
    }
    if (best < 0)
      made_.loops = loopsOf();
  }

  /// What loops of the kernel, all entries together, go round as often as; the non-zeros of
  /// work-items that take one each count as a loop.
  std::optional<Quantity> loopsOf() const {
    if (made_.items.of == Quantity::kNonZeros || made_.items.of == Quantity::kOffDiagonal)
      return made_.items.of;
    for (const Quantity quantity : {Quantity::kNonZeros, Quantity::kOffDiagonal})
      for (const profile::LoopRow &loop : nearest().histograms.loops)
        if (std::ranges::all_of(samples_, [&](const SampleLaunch &sample) {
              return std::ranges::any_of(
                  sample.profile->histograms.loops, [&](const profile::LoopRow &other) {
                    return other.line == loop.line && other.function == loop.function &&
                           other.depth == loop.depth && other.trips == (*sample.pattern)[quantity];
                  });
            }))
          return quantity;
    return std::nullopt;
  }

  /// The law through all samples, or the largest one, if that has whole coefficients.
  CountLaw lawOf(const CountLaw::Terms &terms, std::span<const uint64_t> counts) const {
    const CountLaw all(terms, observed_, counts);
    if (all.whole() || counts.size() == 1)
      return all;
    const CountLaw largest(terms, std::span(observed_).first(1), counts.first(1));
    return largest.whole() ? largest : all;
  }

  /// The law of a count, of which `countOf` gives that of a sample.
  template <typename CountOf>
  uint64_t follow(const CountOf &countOf, bool byPadding = false) const {
    std::vector<uint64_t> counts;
    for (const SampleLaunch &sample : samples_)
      counts.push_back(countOf(sample));
    CountLaw::Terms terms = terms_;
    terms.byPadding = byPadding;
    return rounded(lawOf(terms, counts).on(wholeObserved_));
  }

  void setLaunch() {
    const uint64_t group = made_.items.groupSize;
    if (const auto items = made_.items.on(whole_))
      workItems_ = *items;
    else
      workItems_ =
          std::max<uint64_t>(1, rounded(ratio() * static_cast<double>(observed_.front().workItems) /
                                        static_cast<double>(std::max<uint64_t>(1, group)))) *
          std::max<uint64_t>(1, group);
    // The first dimension grows.
    const profile::Size3 before = to_.provenance.globalSize;
    const uint64_t others = std::max<uint64_t>(1, before[1] * before[2]);
    to_.provenance.globalSize[0] = std::max<uint64_t>(1, workItems_ / others);
    workItems_ = to_.provenance.globalSize[0] * others;
  }

  /// Non-zeros of the whole over those of the largest sample.
  double ratio() const {
    return static_cast<double>(whole_[Quantity::kNonZeros]) /
           static_cast<double>(std::max<uint64_t>(1, nearestPattern()[Quantity::kNonZeros]));
  }

  void setCounts() {
    for (const profile::MetricInfo &row : profile::catalogue()) {
      const bool transfers = row.metric == "host_to_device_bytes"_metric ||
                             row.metric == "device_to_host_bytes"_metric;
      if (transfers && !isNone(nearest(), row.metric))
        to_.setCount(row.metric, transferred(row.metric));
      if (row.scaling != Scaling::kWorkItems || transfers ||
          row.type != profile::MetricType::kCount || isNone(nearest(), row.metric))
        continue;
      const bool byPadding = row.metric == "total_instruction_count"_metric ||
                             row.metric == "machine_instruction_count"_metric ||
                             row.metric == "int_ops"_metric ||
                             row.metric == "simd_operand_sum"_metric;
      to_.setCount(
          row.metric,
          follow([&](const SampleLaunch &sample) { return sample.profile->count(row.metric); },
                 byPadding));
    }
    setBytes("bytes_read_global"_metric, "total_reads"_metric);
    setBytes("bytes_written_global"_metric, "total_writes"_metric);
    const auto sum = [this](std::initializer_list<Metric> parts) {
      uint64_t all = 0;
      for (const Metric part : parts)
        all += to_.count(part);
      return all;
    };
    if (!isNone(nearest(), "fp_ops"_metric)) {
      to_.setCount("fp_ops"_metric,
                   sum({"fp_add"_metric, "fp_mul"_metric, "fp_div"_metric, "fp_special"_metric}));
      // Of one width nearly always; what rounding leaves goes to the widest share.
      const std::array widths{"fp_ops_f16"_metric, "fp_ops_f32"_metric, "fp_ops_f64"_metric};
      const uint64_t all = to_.count("fp_ops"_metric);
      const Metric most = *std::ranges::max_element(
          widths, {}, [this](Metric metric) { return nearest().count(metric); });
      uint64_t others = 0;
      for (const Metric width : widths)
        if (width != most) {
          to_.setCount(width, std::min(all - others, to_.count(width)));
          others += to_.count(width);
        }
      to_.setCount(most, all - others);
    }
  }

  /// Accesses of one size in all samples have that size in the whole.
  void setBytes(Metric bytes, Metric accesses) {
    const uint64_t each =
        nearest().count(accesses) > 0 ? nearest().count(bytes) / nearest().count(accesses) : 0;
    if (std::ranges::all_of(samples_, [&](const SampleLaunch &sample) {
          return sample.profile->count(bytes) == each * sample.profile->count(accesses);
        }))
      to_.setCount(bytes, each * to_.count(accesses));
  }

  /// The bytes of a transfer are those of arrays with an element for each row or non-zero.
  uint64_t transferred(Metric metric) const {
    CountLaw::Terms terms{{Quantity::kRows, 1, 1}, terms_.loops};
    const auto plain = [](const Pattern &pattern) {
      return Observed{&pattern, pattern[Quantity::kRows], 1, std::nullopt};
    };
    std::vector<Observed> observed;
    std::vector<uint64_t> counts;
    for (const SampleLaunch &sample : samples_) {
      observed.push_back(plain(*sample.pattern));
      counts.push_back(sample.profile->count(metric));
    }
    return rounded(CountLaw(terms, observed, counts).on(plain(whole_)));
  }

  void setInstructions() {
    if (innerFirstAt_)
      setVisitLanes();
    if (!byRow_ || !made_.loops)
      return;
    const RowInstructions law(nearestPattern(), nearest());
    if (!law.usable())
      return;
    const sparse::Matrix &matrix = whole_.matrix();
    const uint64_t group = std::max<uint64_t>(1, made_.items.groupSize);
    std::map<uint64_t, uint64_t> histogram;
    std::vector<double> groups((workItems_ + group - 1) / group);
    double all = 0;
    for (uint64_t item = 0; item < workItems_; ++item) {
      const double instructions =
          item < matrix.rows ? law.of(matrix.degree(static_cast<uint32_t>(item))) : law.padding();
      ++histogram[rounded(instructions)];
      groups[item / group] += instructions;
      all += instructions;
    }
    Histogram &items = to_.histograms.instructionsPerThread;
    items.assign(histogram.begin(), histogram.end());
    to_.setCount("total_instruction_count"_metric, rounded(all));
    if (!isNone(nearest(), "machine_instruction_count"_metric))
      to_.setCount("machine_instruction_count"_metric,
                   rounded(all * nearest().real("machine_instruction_count"_metric) /
                           nearest().real("total_instruction_count"_metric)));
    to_.setCount("work_group_instructions_max"_metric, rounded(std::ranges::max(groups)));
    setItemMetrics(items, {"ipt_min"_metric, "ipt_median"_metric, "ipt_max"_metric});
    if (nearest().histograms.instructionsToBarrier == nearest().histograms.instructionsPerThread) {
      to_.histograms.instructionsToBarrier = items;
      setItemMetrics(items, {"itb_min"_metric, "itb_median"_metric, "itb_max"_metric});
    }
    setLanes(law);
  }

  /// Sets the smallest, the median and the largest value of a histogram.
  void setItemMetrics(const Histogram &items, const std::array<Metric, 3> &into) {
    to_.setCount(into[0], items.front().first);
    to_.setCount(into[2], items.back().first);
    to_.setReal(into[1], metrics::median(items));
  }

  void setLanes(const RowInstructions &law) {
    for (size_t i = 0; i < kLaneGroups.size(); ++i) {
      modelled(kUtilization[i], [&](const Pattern &pattern) {
        return rowUtilization(pattern, kLaneGroups[i], law.perRow(), law.perNonZero());
      });
      // The floating-point work of a row is in its loop.
      modelled(kFloatUtilization[i], [&](const Pattern &pattern) {
        return rowUtilization(pattern, kLaneGroups[i], 0, 1);
      });
    }
  }

  /// Lanes wait for those whose inner loop goes round once more.
  void setVisitLanes() {
    std::vector<uint64_t> instructions;
    for (const SampleLaunch &sample : samples_)
      instructions.push_back(sample.profile->count("total_instruction_count"_metric));
    CountLaw::Terms terms = terms_;
    terms.byPadding = true;
    const CountLaw law = lawOf(terms, instructions);
    for (size_t i = 0; i < kLaneGroups.size(); ++i) {
      const auto model = [&](const Pattern &pattern) {
        return visitUtilization(pattern, terms_.loops, *innerFirstAt_, kLaneGroups[i],
                                law.perItem(), law.perInnerTrip());
      };
      modelled(kUtilization[i], model);
      modelled(kFloatUtilization[i], model);
    }
  }

  /// Sets a metric in [0, 1] to what a model gives for the whole, times what the largest sample's
  /// profile has over what the model gives for that sample.
  template <typename Model> void modelled(Metric metric, const Model &model) {
    if (isNone(nearest(), metric))
      return;
    const double sample = model(nearestPattern());
    const double measured = nearest().real(metric);
    const double of = model(whole_);
    if (!(sample > 0))
      return;
    to_.setReal(metric, std::clamp(of * measured / sample, 0.0, 1.0));
  }
  /// Sets a metric to the model's value plus what the model lacks on the largest sample.
  template <typename Model>
  void shifted(Metric metric, const Model &model, double least, double most) {
    if (!isNone(nearest(), metric))
      to_.setReal(metric,
                  std::clamp(nearest().real(metric) + model(whole_) - model(nearestPattern()),
                             least, most));
  }

  /// The longest chain of a row's non-zeros, and the busiest row, grow with the longest row.
  void setDepths() {
    if (!made_.loops)
      return;
    if (byVisit_) {
      setContention();
      return;
    }
    const auto longest = static_cast<double>(whole_.maxDegree());
    const auto before = static_cast<double>(std::max<uint64_t>(1, nearestPattern().maxDegree()));
    const auto grow = [&](Metric metric) {
      if (isNone(nearest(), metric))
        return;
      // As many for each non-zero as there are whole ones, and the rest once.
      const double value = nearest().real(metric);
      const double each = std::floor(value / before);
      to_.setCount(metric, rounded(value + each * (longest - before)));
    };
    grow("asap_fp_depth"_metric);
    grow("asap_depth"_metric);
    grow("fp_ops_max_item"_metric);
  }

  /// How often the most used row, column or node is accessed.
  uint64_t mostTouched(const Pattern &pattern) const {
    if (innerFirstAt_ == Quantity::kNonEmptyRows)
      return pattern.maxDegree();
    if (innerFirstAt_ == Quantity::kUsedColumns)
      return std::ranges::max(pattern.columnDegrees());
    return pattern.maxTouches();
  }

  /// Atomic operations on the most used node come one after the other.
  void setContention() {
    const auto before = static_cast<double>(mostTouched(nearestPattern()));
    const auto after = static_cast<double>(mostTouched(whole_));
    if (!(nearest().real("atomic_contention_max"_metric) > 1) || !(before > 0))
      return;
    for (const Metric contention : kContention) {
      const double most = nearest().real(contention);
      const double each = std::round(most / before);
      to_.setCount(contention, rounded(most + each * (after - before)));
    }
    for (const Metric depth : {"asap_fp_depth"_metric, "asap_depth"_metric})
      if (!isNone(nearest(), depth))
        to_.setCount(depth, rounded(nearest().real(depth) * after / before));
  }

  void setLevels() {
    const auto from = profile::sumsOf(nearest().histograms.asapFpLevels);
    if (!from || from->levels == 0 || nearest().histograms.asapFpLevels.front().first == 0)
      return;
    profile::LevelSums sums{to_.count("asap_fp_depth"_metric), to_.count("fp_ops"_metric)};
    sums.levels = std::max<uint64_t>(1, std::min(sums.levels, sums.operations));
    sums.operations = std::max(sums.operations, sums.levels);
    to_.histograms.asapFpLevels = profile::scaledLevels(nearest().histograms.asapFpLevels, sums);
  }

  AccessContext accessContext() const {
    const Pattern &pattern = nearestPattern();
    const Quantity loops = *made_.loops;
    return {byVisit_,
            loops,
            pattern[loops],
            pattern[Quantity::kRows],
            pattern[Quantity::kNonEmptyRows],
            pattern[Quantity::kColumns],
            innerFirstAt_};
  }

  /// The accesses of the nearest sample by their laws; an array that work-items access at one index
  /// of their non-zero is accessed at the index for which the model is nearer to the profile.
  std::optional<Accesses> bestAccesses() const {
    if (!nearest().accesses || !made_.loops || !(byRow_ || byVisit_))
      return std::nullopt;
    std::vector<const std::vector<AccessRow> *> tables;
    for (const SampleLaunch &sample : samples_)
      if (sample.profile->accesses)
        tables.push_back(&*sample.profile->accesses);
    const std::vector<AccessRow> places = placesOf(*nearest().accesses, tables);
    AccessContext context = accessContext();
    Accesses best = accessesOf(places, context);
    context.singlesByRow = true;
    Accesses byRow = accessesOf(places, context);
    if (best.traversal.gathers.empty())
      return std::nullopt;
    if (byVisit_ && mismatchOf(byRow) < mismatchOf(best))
      best = std::move(byRow);
    return best;
  }

  uint64_t mismatchOf(const Accesses &of) const {
    return mismatch(models_.lines(of.traversal, nearestPattern()), lineReuse());
  }

  LineReuse lineReuse() const {
    return {nearest().histograms.reuseDistances, nearest().reuse.coldAccesses};
  }

  void setMemory() {
    const std::optional<Accesses> accesses = bestAccesses();
    if (!accesses) {
      scaleDistances();
      return;
    }
    const Traversal &traversal = accesses->traversal;
    for (const GatheredArray &array : accesses->arrays)
      made_.gathered.push_back(array.name);
    const GatheredLines &sample = models_.lines(traversal, nearestPattern());
    made_.reuseMismatch =
        static_cast<double>(mismatchOf(*accesses)) / std::max(1.0, lineAccesses(nearest()));
    setUnique(accesses->arrays);
    setEntropies(traversal);
    setLaneAccesses(traversal);
    LineReuse whole = reuseOfWhole(
        lineReuse(), sample, models_.lines(traversal, whole_), wholeLineAccesses(),
        streamLines(traversal, whole_) / std::max(1.0, streamLines(traversal, nearestPattern())));
    to_.histograms.reuseDistances = std::move(whole.distances);
    to_.reuse.coldAccesses = whole.cold;
  }

  static double lineAccesses(const KernelProfile &profile) {
    return static_cast<double>(profile::lineAccesses(profile));
  }
  static double readsAndWrites(const KernelProfile &profile) {
    return profile.real("total_reads"_metric) + profile.real("total_writes"_metric);
  }
  /// Accesses of lines in the whole: as many for each access as in the nearest sample.
  double wholeLineAccesses() const {
    const double accesses = readsAndWrites(nearest());
    return accesses > 0 ? lineAccesses(nearest()) * readsAndWrites(to_) / accesses : 0;
  }

  /// Where nothing is known of the gathers: the nearest sample's distances.
  void scaleDistances() {
    const double all = lineAccesses(nearest());
    if (!(all > 0))
      return;
    const double factor = wholeLineAccesses() / all;
    for (auto &[lowest, accesses] : to_.histograms.reuseDistances)
      accesses = rounded(static_cast<double>(accesses) * factor);
    to_.reuse.coldAccesses = rounded(static_cast<double>(nearest().reuse.coldAccesses) * factor);
  }

  /// No more addresses than accesses.
  void boundUnique() {
    const auto bound = [this](Metric metric, uint64_t most) {
      if (!isNone(to_, metric))
        to_.setCount(metric, std::min(to_.count(metric), most));
    };
    bound("unique_reads"_metric, to_.count("total_reads"_metric));
    bound("unique_writes"_metric, to_.count("total_writes"_metric));
    bound("memory_footprint"_metric,
          to_.count("unique_reads"_metric) + to_.count("unique_writes"_metric));
  }

  /// Addresses of what is gathered, which are as many as there are indices in use.
  void setUnique(const std::vector<GatheredArray> &arrays) {
    const auto set = [&](Metric metric, const auto &ofEachIndex) {
      if (isNone(nearest(), metric))
        return;
      const auto gathered = [&](const Pattern &pattern) {
        uint64_t sum = 0;
        for (const GatheredArray &array : arrays)
          sum += pattern[array.indices] * ofEachIndex(array);
        return sum;
      };
      const auto measured = nearest().real(metric);
      const auto modelledHere = static_cast<double>(gathered(nearestPattern()));
      if (measured < modelledHere) { // work is done for some of the non-zeros
        to_.setCount(metric,
                     rounded(static_cast<double>(gathered(whole_)) * measured / modelledHere));
        return;
      }
      const uint64_t others = follow([&](const SampleLaunch &sample) {
        const uint64_t all = sample.profile->count(metric);
        return all - std::min(all, gathered(*sample.pattern));
      });
      to_.setCount(metric, others + gathered(whole_));
    };
    set("unique_reads"_metric,
        [](const GatheredArray &array) { return array.isRead ? array.elements : 0; });
    set("unique_writes"_metric,
        [](const GatheredArray &array) { return array.isWritten ? array.elements : 0; });
    set("memory_footprint"_metric, [](const GatheredArray &array) { return array.elements; });
    set("footprint_bytes"_metric, [](const GatheredArray &array) { return array.span; });
    const double all = nearest().real("memory_footprint"_metric);
    if (all > 0)
      to_.setCount("memory_footprint_90"_metric,
                   rounded(to_.real("memory_footprint"_metric) *
                           nearest().real("memory_footprint_90"_metric) / all));
  }

  void setEntropies(const Traversal &traversal) {
    constexpr std::array kLocal{
        "global_memory_address_entropy"_metric,   "local_memory_address_entropy_1"_metric,
        "local_memory_address_entropy_2"_metric,  "local_memory_address_entropy_3"_metric,
        "local_memory_address_entropy_4"_metric,  "local_memory_address_entropy_5"_metric,
        "local_memory_address_entropy_6"_metric,  "local_memory_address_entropy_7"_metric,
        "local_memory_address_entropy_8"_metric,  "local_memory_address_entropy_9"_metric,
        "local_memory_address_entropy_10"_metric,
    };
    for (unsigned bits = 0; bits < kLocal.size(); ++bits)
      shifted(
          kLocal[bits],
          [&](const Pattern &pattern) { return addressEntropy(traversal, pattern, bits); }, 0, 64);
  }

  void setLaneAccesses(const Traversal &traversal) {
    const LaneAccesses sample = laneAccesses(traversal, nearestPattern(), byVisit_);
    const LaneAccesses whole = laneAccesses(traversal, whole_, byVisit_);
    constexpr std::array kCoalescing{"coalescing_16"_metric, "coalescing_32"_metric,
                                     "coalescing_64"_metric};
    const auto of = [&](const Pattern &pattern) -> const LaneAccesses & {
      return &pattern == &whole_ ? whole : sample;
    };
    for (size_t i = 0; i < kCoalescing.size(); ++i)
      modelled(kCoalescing[i], [&](const Pattern &pattern) { return of(pattern).coalescing[i]; });
    shifted(
        "uniform_accesses"_metric, [&](const Pattern &pattern) { return of(pattern).uniform; }, 0,
        1);
    shifted(
        "consecutive_accesses"_metric,
        [&](const Pattern &pattern) { return of(pattern).consecutive; }, 0, 1);
  }

  /// Opcodes, loops and accesses, each by its own law. The tables of which nothing is known are
  /// left out.
  void setTables() {
    profile::Histograms &tables = to_.histograms;
    for (auto &[opcode, count] : tables.opcodes)
      count = follow(
          [&, &name = opcode](const SampleLaunch &sample) {
            const auto found = sample.profile->histograms.opcodes.find(name);
            return found == sample.profile->histograms.opcodes.end() ? 0 : found->second;
          },
          true);
    metrics::Tally occurrences;
    for (const auto &[opcode, count] : tables.opcodes)
      if (count > 0)
        occurrences.add(count);
    if (!tables.opcodes.empty())
      to_.setCount("opcode_90"_metric, metrics::outcomesCovering90(occurrences.histogram()));
    for (size_t i = 0; i < tables.loops.size(); ++i) {
      profile::LoopRow &loop = tables.loops[i];
      const auto of = [&, i](const SampleLaunch &sample, uint64_t profile::LoopRow::*member) {
        const auto &rows = sample.profile->histograms.loops;
        return i < rows.size() ? rows[i].*member : 0;
      };
      loop.entries = follow(
          [&](const SampleLaunch &sample) { return of(sample, &profile::LoopRow::entries); });
      const profile::LoopRow &measured = nearest().histograms.loops[i];
      if (measured.maxTrips == nearestPattern().maxDegree()) {
        loop.maxTrips = whole_.maxDegree();
        if (measured.minTrips == nearestPattern().minDegree())
          loop.minTrips = whole_.minDegree();
      }
      loop.trips =
          follow([&](const SampleLaunch &sample) { return of(sample, &profile::LoopRow::trips); });
    }
    tables.lines.clear();
    tables.branchExecutions.clear();
    tables.addressAccesses.clear();
    tables.simdWidths.clear();
    to_.accesses = nearest().accesses;
    if (to_.accesses)
      for (size_t i = 0; i < to_.accesses->size(); ++i) {
        AccessRow &row = (*to_.accesses)[i];
        const auto of = [&, i](const SampleLaunch &sample, uint64_t AccessRow::*member) {
          const auto &rows = sample.profile->accesses;
          return rows && i < rows->size() && (*rows)[i].line == row.line ? (*rows)[i].*member : 0;
        };
        const uint64_t bytes = row.accesses > 0 ? row.bytes / row.accesses : 0;
        const double spread =
            row.bytes > 0 ? static_cast<double>(row.footprint) / static_cast<double>(row.bytes) : 1;
        row.accesses =
            follow([&](const SampleLaunch &sample) { return of(sample, &AccessRow::accesses); });
        row.bytes = row.accesses * bytes;
        row.footprint = std::min(row.bytes, rounded(static_cast<double>(row.bytes) * spread));
      }
  }

  /// What follows from other metrics by its definition. The operations of the schedule are as many
  /// more as there are instructions.
  void derive() {
    scaling::ScaledProfile scaled;
    scaled.profile.provenance = to_.provenance;
    scaled.profile.simulatorErrors = to_.simulatorErrors;
    const double nodes = nearest().real("asap_parallelism"_metric) *
                         nearest().real("asap_depth"_metric) *
                         to_.real("total_instruction_count"_metric) /
                         std::max(1.0, nearest().real("total_instruction_count"_metric));
    if (!isNone(nearest(), "asap_parallelism"_metric))
      to_.setRatio("asap_parallelism"_metric, nodes, to_.real("asap_depth"_metric));
    scaling::scaleMetrics(to_, nullptr, scaling::ScalingLaw(workItems_, workItems_, std::nullopt),
                          scaled);
    KernelProfile &result = made_.profile;
    result = std::move(scaled.profile);
    for (const Metric contention : kContention) // scaling knows nothing of it
      if (!isNone(to_, contention))
        result.setCount(contention, to_.count(contention));
    result.histograms.opcodes = std::move(to_.histograms.opcodes);
    result.histograms.loops = std::move(to_.histograms.loops);
    result.histograms.instructionsPerThread = std::move(to_.histograms.instructionsPerThread);
    result.histograms.instructionsToBarrier = std::move(to_.histograms.instructionsToBarrier);
    result.accesses = std::move(to_.accesses);
    if (!byRow_ || !made_.loops) {
      // The histograms of the sample say nothing of the whole.
      result.histograms.instructionsPerThread.clear();
      result.histograms.instructionsToBarrier.clear();
    }
  }

  std::vector<SampleLaunch> samples_;
  std::vector<Observed> observed_;
  const Pattern &whole_;
  GatherModels &models_;
  CountLaw::Terms terms_;
  bool byRow_ = false, byVisit_ = false;
  uint64_t workItems_ = 0;
  Observed wholeObserved_;
  std::optional<Quantity> innerFirstAt_; ///< what its inner loop tells first times of
  KernelProfile to_;
  Extrapolated made_;
};

void check(const SampleLaunch &sample) {
  const KernelProfile &profile = *sample.profile;
  const std::string name = text::printable(profile.provenance.kernel, 60);
  if (!profile.complete)
    throw Error(fmt::format("kernel {}: the profile of a sample is not complete: expected one of a "
                            "whole launch",
                            name));
  if (profile.count("work_items"_metric) == 0)
    throw Error(fmt::format("kernel {}: the profile of a sample has no work-items: expected one at "
                            "least",
                            name));
}

} // namespace

Extrapolated extrapolate(std::span<const SampleLaunch> samples, const Pattern &whole,
                         const std::string &from) {
  GatherModels models;
  return extrapolate(samples, whole, from, models);
}

Extrapolated extrapolate(std::span<const SampleLaunch> samples, const Pattern &whole,
                         const std::string &from, GatherModels &models) {
  std::ranges::for_each(samples, check);
  Extrapolated made = Extrapolation(samples, whole, models).result();
  made.profile.provenance.extrapolatedFrom = from;
  made.profile.provenance.scaledFrom.clear();
  if (samples.size() < 2)
    return made;
  std::vector<double> errors(profile::kMetricCount);
  for (const SampleLaunch &left : samples) {
    std::vector<SampleLaunch> others;
    for (const SampleLaunch &sample : samples)
      if (&sample != &left)
        others.push_back(sample);
    const KernelProfile other = Extrapolation(others, *left.pattern, models).result().profile;
    for (const profile::MetricInfo &row : profile::catalogue()) {
      const double measured = left.profile->real(row.metric);
      const double expected = other.real(row.metric);
      errors[index(row.metric)] +=
          (measured == expected ? 0 : std::abs(expected - measured) / std::abs(measured)) /
          static_cast<double>(samples.size());
    }
  }
  for (const profile::MetricInfo &row : profile::catalogue())
    if (const double error = errors[index(row.metric)] * std::abs(made.profile.real(row.metric));
        std::isfinite(error))
      made.profile.setStandardError(row.metric, error);
  return made;
}

} // namespace aiwc::extrapolate
