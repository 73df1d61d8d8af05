// SPDX-License-Identifier: BSD-3-Clause
// A machine without NVRTC, as a compiler: it compiles nothing and says why, once a kernel is wanted that the cache does not hold.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/compile/compiler.hpp"

namespace tessera {
namespace {

class AbsentCompiler final : public KernelCompiler {
 public:
  explicit AbsentCompiler(Error why) : why_(std::move(why)) {}

  Result<Cubin> compile(const KernelSource&, ArchTarget) override { return why_; }
  std::string version() const override { return {}; }
  std::vector<std::string> options() const override { return nvrtc_options(); }
  std::vector<int> supported_sms() const override { return {}; }

 private:
  Error why_;
};

}  // namespace

std::unique_ptr<KernelCompiler> or_absent(Result<std::unique_ptr<KernelCompiler>> opened) {
  if (opened) return std::move(opened).value();
  return std::make_unique<AbsentCompiler>(std::move(opened).error());
}

}  // namespace tessera
