// SPDX-License-Identifier: BSD-3-Clause
// What is asked for of a lesson, done.
#pragma once

#include <string>
#include <string_view>

#include "app/studio/frame/app.hpp"

namespace tessera::studio {

// A lesson in the place of the panels, where the document stays as it is: a file, or the name of one that comes with the program.
Status show_lesson(App& app, const std::string& name);
// The effects of a lesson; false for any other.
bool do_lesson_effect(App& app, Effect effect, const Arguments& arguments);
// While a lesson is shown, it takes the actions that present: present.start and its likes. False where this action is none of those.
bool presents_lesson(App& app, std::string_view id);

}  // namespace tessera::studio
