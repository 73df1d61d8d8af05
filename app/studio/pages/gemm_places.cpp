// SPDX-License-Identifier: BSD-3-Clause
// Where runs go, as a person chooses it: a worker, and of its machine a GPU. Beside it which device the models are of.
#include <algorithm>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/studio/pages/gemm_page.hpp"
#include "app/studio/panels/gemm_parts.hpp"
#include "core/gemm/device_model.hpp"

namespace tessera::studio {
namespace {

using Devices = Result<std::vector<DeviceSummary>>;

// Whoever was asked before is not waited for.
void ask_for_devices(Places& places, const GemmRequest& place) {
  places.asked = place.worker;
  places.answered.reset();
  if (places.asking.jobs) places.asking.jobs->forget_all();
  places.asking.ask([place](const std::stop_token& stop) {
    return std::pair(place.worker, or_refusal([&] { return devices_of(place, stop); },
                                              [](const char* why) {
                                                return Devices(Error{ErrorCode::limit, why, {}, {}});
                                              }));
  });
}

// What the worker of the next run said; null: it has not been asked, or has not answered yet.
const Devices* answer_of(const Places& places, const GemmRequest& place) {
  return places.answered && places.answered->first == place.worker ? &places.answered->second : nullptr;
}

std::string name_of(const std::string& worker) { return worker.empty() ? kThisMachine : worker; }

// "this machine, GPU 0: NVIDIA H200", the name as soon as it is known.
std::string words_of(const GemmRequest& place, const Devices* devices) {
  std::string words = fmt::format("{}, GPU {}", name_of(place.worker), place.device);
  if (!devices || !*devices) return words;
  for (const DeviceSummary& each : **devices) {
    if (each.index == place.device) words += ": " + each.name;
  }
  return words;
}

Action go_to(const std::string& worker, int device) {
  return Do{"gemm.page", {{"worker", name_of(worker)}, {"device", std::to_string(device)}}};
}

Answer draw_workers(Ui& ui, Places& places, const LiveInput& input) {
  Answer answer;
  heading(ui, "WORKER   the program that runs GEMMs");
  std::vector<std::string> known{""};
  known.insert(known.end(), input.workers.begin(), input.workers.end());
  if (const std::string& now = input.request.worker; std::find(known.begin(), known.end(), now) == known.end()) known.push_back(now);
  for (const std::string& worker : known) {
    const std::string shown = elided_middle(ui.fonts.body, name_of(worker), ui.px(420));
    if (choice(ui, fmt::format("{}##{}", shown, worker).c_str(), worker == input.request.worker)) answer = go_to(worker, 0);
    if (!worker.empty() && ImGui::IsItemHovered()) tooltip(ui, worker);
  }
  if (edit_once(ui, "worker command", places.typed, "another, such as: ssh HOST tessera worker") == EditDone::taken) {
    answer = go_to(std::exchange(places.typed, {}), 0);
    ImGui::CloseCurrentPopup();
  }
  return answer;
}

Answer draw_gpus(Ui& ui, Places& places, const LiveInput& input) {
  Answer answer;
  heading(ui, "GPU   of its machine");
  const Devices* devices = answer_of(places, input.request);
  if (!devices) {
    text(ui, "asking ...", ui.theme.dim, ui.fonts.body);
    return answer;
  }
  if (!*devices) {
    draw_refused(ui, devices->error());
  } else {
    for (const DeviceSummary& each : **devices) {
      if (choice(ui, tessera::words_of(each).c_str(), each.index == input.request.device)) answer = go_to(input.request.worker, each.index);
    }
  }
  if (button(ui, "Ask again", ButtonLook::quiet)) ask_for_devices(places, input.request);
  return answer;
}

void draw_device_of_models(Ui& ui, LiveState& state) {
  if (button(ui, fmt::format("models of {}##models", state.device).c_str(), ButtonLook::plain, true,
             "Occupancy, waves and roofline are of this device, wherever it runs"))
    ImGui::OpenPopup("models");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
  if (ImGui::BeginPopup("models")) {
    ui.recorder.enter("Live choices");
    for (const DeviceModel& each : device_models()) {
      const std::string word(each.name);
      if (choice(ui, word.c_str(), word == state.device)) state.device = word;
    }
    if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    ui.recorder.leave();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

Answer draw_places(Ui& ui, LiveState& state, const LiveInput& input) {
  Answer answer;
  Places& places = state.places;
  const WithFont with(ui.fonts.small);
  const Devices* devices = answer_of(places, input.request);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(7), ui.px(2)));
  const std::string whole = "runs on " + words_of(input.request, devices);
  const float padded = ui.px(20), room = ImGui::GetContentRegionAvail().x;
  const bool one_row = ImGui::CalcTextSize((whole + "models of " + state.device).c_str()).x + 2 * padded <= room;
  const std::string words = elided_middle(ui.fonts.small, whole, room - padded);
  const bool pressed = button(ui, (words + "##places").c_str(), ButtonLook::plain, true, "The worker and the GPU of every run");
  if (pressed || std::exchange(places.opens, false)) {
    if (places.asked != input.request.worker || !devices || !*devices) ask_for_devices(places, input.request);
    ImGui::OpenPopup("places");
  }
  if (one_row) ImGui::SameLine(0, ui.px(6));
  draw_device_of_models(ui, state);
  ImGui::PopStyleVar();
  if (devices && !*devices) wrapped_text(ui, devices->error().message, ui.theme.warn, ui.fonts.small);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
  ImGui::SetNextWindowSizeConstraints({ui.px(340), 0}, {ui.px(460), ui.px(460)});
  if (ImGui::BeginPopup("places")) {
    ui.recorder.enter("Live places");
    if (places.asked != input.request.worker) ask_for_devices(places, input.request);
    if (Answer made = draw_workers(ui, places, input)) {
      answer = std::move(made);
      places.opens = true;  // for its GPUs
    }
    if (Answer made = draw_gpus(ui, places, input)) answer = std::move(made);
    if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    ui.recorder.leave();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return answer;
}

}  // namespace tessera::studio
