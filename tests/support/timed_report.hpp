// SPDX-License-Identifier: BSD-3-Clause
// The report of a run on a device that there is not.
#pragma once

#include "app/session/gemm/jobs.hpp"

namespace tessera::support {

inline GemmReport timed_report(double microseconds, double spread_percent) {
  GemmReport report;
  report.provenance = Provenance::live;
  report.checked = report.correct = true;
  report.device = "Fake GPU";
  report.microseconds = microseconds;
  report.spread_percent = spread_percent;
  return report;
}

}  // namespace tessera::support
