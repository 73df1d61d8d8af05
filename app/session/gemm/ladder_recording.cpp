// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/ladder_recording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "app/session/files/document_io.hpp"
#include "core/base/characters.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/rungs/ladder.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRungs = 64;
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 40;  // elements
constexpr std::size_t kLongestText = 1 << 16;                   // bytes
constexpr std::uintmax_t kLargestLadder = 64u << 20;            // bytes
constexpr std::size_t kLongestSlug = 48;                        // bytes

Error not_a_ladder(std::string message) { return Error{ErrorCode::corrupt, std::move(message), {}, {}}; }

// What holds of every measured ladder.
Result<MeasuredLadder> whole(MeasuredLadder ladder) {
  const MeasuredRung* first = nullptr;
  for (const MeasuredRung& rung : ladder.rungs) {
    if (!rung.measurement) continue;
    const Measurement& m = *rung.measurement;
    const auto refuse = [&](std::string what) { return not_a_ladder(fmt::format("rung {} ({}): {}", rung.number, rung.name, what)); };
    if (m.name != rung.name) return refuse(fmt::format("its measurement is of \"{}\"", m.name));
    if (std::tuple(m.m, m.n, m.k) != std::tuple(ladder.extents.m, ladder.extents.n, ladder.extents.k))
      return refuse(fmt::format("its measurement is of {}, the ladder of {}", size_text({m.m, m.n, m.k}), size_text(ladder.extents)));
    if (first == nullptr) first = &rung;
    const DeviceProperties &device = m.device, &other = first->measurement->device;
    if (std::tie(device.name, device.driver_version) != std::tie(other.name, other.driver_version))
      return refuse(fmt::format("it was measured on {}, driver {}, and rung {} on {}, driver {}", device.name, device.driver_version,
                                first->number, other.name, other.driver_version));
  }
  if (first == nullptr) {
    std::string why = ladder.rungs.empty() ? std::string("it has no rungs") : ladder.rungs.front().not_measured;
    return not_a_ladder(fmt::format("no rung of this ladder was measured{}", why.empty() ? "" : ": " + why));
  }
  return ladder;
}

Result<MeasuredRung> read_rung(const Json& json) {
  JsonReader in(ErrorCode::corrupt, "the ladder cannot be read", kLongestText);
  MeasuredRung rung;
  rung.number = in.whole<int>(json, "rung", 1);
  rung.name = in.text(json, "name");
  rung.not_measured = in.text_or(json, "not_measured", "");
  if (in.failed()) return in.error();
  if (const Json* measured = json.find("measurement")) {
    Result<Measurement> measurement = read_measurement(*measured);
    if (!measurement) return not_a_ladder(fmt::format("rung {} ({}): {}", rung.number, rung.name, measurement.error().message));
    rung.measurement = *std::move(measurement);
  }
  return rung;
}

Result<MeasuredLadder> read(const Json& json) {
  JsonReader in(ErrorCode::corrupt, "the ladder cannot be read", kLongestText);
  MeasuredLadder ladder;
  const auto extent = [&](std::string_view name) { return in.whole<std::int64_t>(json, name, 1, kLargestExtent); };
  ladder.extents = {extent("m"), extent("n"), extent("k")};
  const Json::List& rungs = in.list(json, "rungs", kMostRungs);
  if (in.failed()) return in.error();
  for (const Json& item : rungs) {
    TESSERA_TRY(rung, read_rung(item));
    ladder.rungs.push_back(std::move(rung));
  }
  return whole(std::move(ladder));
}

// What this version makes of the rung that was measured.
void compare(MeasuredRung& rung, const ProblemSize& extents) {
  const auto known = std::find_if(ladder().begin(), ladder().end(), [&](const Rung& one) { return one.name == rung.name; });
  if (known == ladder().end()) {
    rung.other_version = "there is no rung of that name any more";
    return;
  }
  Result<GemmSpec> spec = known->spec(extents.m, extents.n, extents.k);
  if (spec) spec->name = rung.name;
  const Result<GemmPlan> plan = spec ? lower(*spec) : Result<GemmPlan>(spec.error());
  if (!plan) {
    rung.other_version = "it is refused now: " + plan.error().message;
    return;
  }
  Result<GemmReport> report = report_of(to_json(*rung.measurement), Provenance::recorded, *plan);
  if (!report) return;
  rung.other_version = report->other_version;
  rung.same_code = report->other_version.empty() && !rung.measurement->code.empty();
  rung.report = *std::move(report);
}

std::string name_of(const MeasuredLadder& ladder) {
  const auto& [m, n, k] = ladder.extents;
  const std::string size = m == n && n == k ? fmt::format("{}", m) : fmt::format("{}x{}x{}", m, n, k);
  return fmt::format("{}-{}.json", device_slug(ladder.any().device.name), size);
}

// A rung a line, so that a refusal's line is the rung's.
std::string text_of(const MeasuredLadder& ladder) {
  std::string text = fmt::format("{{\"m\": {}, \"n\": {}, \"k\": {}, \"rungs\": [", ladder.extents.m, ladder.extents.n, ladder.extents.k);
  for (const MeasuredRung& rung : ladder.rungs) {
    Json::Members members{{"rung", rung.number}, {"name", rung.name}};
    if (rung.measurement)
      members.push_back({"measurement", measurement_json(recorded_form(*rung.measurement))});
    else
      members.push_back({"not_measured", rung.not_measured});
    text += (&rung == &ladder.rungs.front() ? "\n" : ",\n") + Json::object(std::move(members)).dump();
  }
  return text + "\n]}\n";
}

// Writes over what `is_same` takes for a recording of the same thing, and over nothing else.
template <class IsSame>
Result<fs::path> write_over(fs::path path, std::string_view text, const IsSame& is_same) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    TESSERA_TRY(there, read_file(path, kLargestLadder));
    if (!is_same(there))
      return Error{
          ErrorCode::already_exists, fmt::format("{} is there, and is no recording of the same, or is one of more", path.string()), {}, {}};
  }
  TESSERA_CHECK(write_file(path, text));
  return path;
}

std::ptrdiff_t measured_rungs(const MeasuredLadder& ladder) {
  return std::count_if(ladder.rungs.begin(), ladder.rungs.end(), [](const MeasuredRung& rung) { return rung.measurement.has_value(); });
}

}  // namespace

const Measurement& MeasuredLadder::any() const {
  return *std::find_if(rungs.begin(), rungs.end(), [](const MeasuredRung& rung) { return rung.measurement.has_value(); })->measurement;
}

std::string size_text(const ProblemSize& extents) { return fmt::format("{} x {} x {}", extents.m, extents.n, extents.k); }

Result<MeasuredLadder> read_ladder(std::string_view text) {
  const Result<Json> json = parse_json(text, kAnswerJson, ErrorCode::corrupt);
  if (!json) return with_line(json.error(), text);
  Result<MeasuredLadder> ladder = read(*json);
  if (!ladder) return with_line(std::move(ladder).error(), text);
  return ladder;
}

Result<MeasuredLadder> measured_ladder(const std::vector<LadderStep>& steps, const ProblemSize& extents) {
  MeasuredLadder ladder;
  ladder.provenance = Provenance::live;
  ladder.extents = extents;
  for (const LadderStep& step : steps) {
    MeasuredRung rung;
    rung.number = step.rung->number, rung.name = step.rung->name, rung.not_measured = step.not_measured;
    if (step.report) {
      TESSERA_TRY(measurement, measurement_from_json(step.report->json));
      rung.measurement = std::move(measurement);
      rung.report = step.report;
    }
    ladder.rungs.push_back(std::move(rung));
  }
  return whole(std::move(ladder));
}

void compare_with_rungs(MeasuredLadder& ladder) {
  for (MeasuredRung& rung : ladder.rungs) {
    if (rung.measurement) compare(rung, ladder.extents);
  }
}

std::string origin_text(const MeasuredLadder& ladder) {
  const Measurement& m = ladder.any();
  std::string text = fmt::format("{}, driver {}, {}", m.device.name, m.device.driver_version, m.compiler);
  if (m.timing && !m.timing->baseline_name.empty()) text += ", " + m.timing->baseline_name.substr(0, m.timing->baseline_name.find(','));
  return text + ", " + m.date.substr(0, 10);
}

Json ladder_json(const MeasuredLadder& ladder) {
  const Measurement& any = ladder.any();
  Json::List rungs;
  for (const MeasuredRung& rung : ladder.rungs) {
    Json::Members members{{"rung", rung.number}, {"name", rung.name}};
    if (rung.measurement) {
      members.push_back({"same_code", rung.same_code});
      if (!rung.other_version.empty()) members.push_back({"other_version", rung.other_version});
      members.push_back({"measurement", measurement_json(*rung.measurement)});
    } else {
      members.push_back({"not_measured", rung.not_measured});
    }
    rungs.push_back(Json::object(std::move(members)));
  }
  return Json::object({{"provenance", to_string(ladder.provenance)},
                       {"device", any.device.name},
                       {"driver_version", any.device.driver_version},
                       {"compiler", any.compiler},
                       {"date", any.date},
                       {"m", ladder.extents.m},
                       {"n", ladder.extents.n},
                       {"k", ladder.extents.k},
                       {"rungs", std::move(rungs)}});
}

RecordedLadders recorded_ladders() {
  RecordedLadders found;
  const Result<fs::path> folder = find_asset("recordings/ladder");
  if (!folder) return found;
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(*folder, ignored)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const Result<std::string> text = read_file(file, kLargestLadder);
    Result<MeasuredLadder> ladder = text ? read_ladder(*text) : Result<MeasuredLadder>(text.error());
    if (ladder) {
      found.ladders.push_back(*std::move(ladder));
      continue;
    }
    Error error = std::move(ladder).error();
    error.message = fmt::format("the recording {} cannot be read: {}", file.filename().string(), error.message);
    found.damaged.push_back(std::move(error));
  }
  const auto order = [](const MeasuredLadder& l) {
    return std::tuple(-l.any().device.sm, l.any().device.name, l.extents.m, l.extents.n, l.extents.k);
  };
  std::stable_sort(found.ladders.begin(), found.ladders.end(),
                   [&](const MeasuredLadder& a, const MeasuredLadder& b) { return order(a) < order(b); });
  return found;
}

Result<std::vector<MeasuredLadder>> choose(std::vector<MeasuredLadder> ladders, const std::optional<ProblemSize>& extents,
                                           std::string_view gpu) {
  std::vector<std::string> recorded;
  std::vector<MeasuredLadder> chosen;
  for (MeasuredLadder& ladder : ladders) {
    const std::string& device = ladder.any().device.name;
    recorded.push_back(fmt::format("{} ({}) at {}", device_slug(device), device, size_text(ladder.extents)));
    const bool of_gpu = gpu.empty() || device == gpu || device_slug(device) == lower(gpu);
    if (of_gpu && (!extents || *extents == ladder.extents)) chosen.push_back(std::move(ladder));
  }
  if (!chosen.empty()) return chosen;
  return Error{ErrorCode::io,
               fmt::format("no ladder{}{} is recorded", gpu.empty() ? "" : fmt::format(" of \"{}\"", gpu),
                           extents ? " at " + size_text(*extents) : ""),
               {},
               {recorded.empty() ? std::string("none came with this program") : fmt::format("recorded are {}", fmt::join(recorded, "; "))}};
}

std::string device_slug(std::string_view device) {
  std::string slug;
  for (std::string_view rest = device; !rest.empty() && slug.size() < kLongestSlug;) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    std::string word = lower(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.empty() || word == "nvidia") continue;
    const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    for (char& c : word) c = is_plain(c) ? c : '-';
    slug += (slug.empty() ? "" : "-") + word;
    if (word.find_first_of("0123456789") != word.npos) break;  // what follows is memory and form
  }
  return slug.empty() ? "gpu" : slug.substr(0, kLongestSlug);
}

Measurement recorded_form(Measurement m) {
  const std::vector<std::string> of_cache = m.cache.notes;
  const auto is_of_machine = [&](const std::string& note) {
    return note.find('/') != note.npos || std::find(of_cache.begin(), of_cache.end(), note) != of_cache.end();
  };
  m.notes.erase(std::remove_if(m.notes.begin(), m.notes.end(), is_of_machine), m.notes.end());
  m.cache = CacheOutcome{false, "", m.cache.key, {}, {}, ""};
  m.spent.reset();
  m.device.index = 0;
  if (!m.timing) return m;
  const auto forget_samples = [](TimedMode& mode) {
    mode.kernel.samples.clear();
    if (mode.baseline) mode.baseline->samples.clear();
  };
  forget_samples(m.timing->alone), forget_samples(m.timing->burst);
  if (m.timing->best) {
    for (const TimingMode& of : kTimingModes) {
      if (std::optional<TimedMode>& best = (*m.timing->best).*of.best) forget_samples(*best);
    }
  }
  return m;
}

Result<fs::path> record(const MeasuredLadder& ladder, const fs::path& folder) {
  for (const MeasuredRung& rung : ladder.rungs) {
    if (rung.measurement && !rung.measurement->correctness.passed)
      return Error{
          ErrorCode::wrong_result, fmt::format("rung {} ({}) is wrong, so the ladder is not recorded", rung.number, rung.name), {}, {}};
  }
  TESSERA_TRY(path, path_in(folder / "ladder", name_of(ladder)));
  return write_over(path, text_of(ladder), [&](const std::string& there) {
    const Result<MeasuredLadder> other = read_ladder(there);
    return other && measured_rungs(*other) <= measured_rungs(ladder);
  });
}

Result<fs::path> record(const Measurement& measurement, const fs::path& folder) {
  if (!measurement.correctness.passed)
    return Error{ErrorCode::wrong_result, fmt::format("{} is wrong, so it is not recorded", measurement.name), {}, {}};
  TESSERA_TRY(path, path_in(folder, fmt::format("{}-{}.json", measurement.name, device_slug(measurement.device.name))));
  return write_over(path, to_json(recorded_form(measurement)) + "\n", [&](const std::string& there) {
    const Result<Measurement> other = measurement_from_json(there);
    return other && other->name == measurement.name;
  });
}

}  // namespace tessera
