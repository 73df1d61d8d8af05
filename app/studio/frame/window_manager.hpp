// SPDX-License-Identifier: BSD-3-Clause
// What a window manager that ended left on the display.
#pragma once

namespace tessera::studio {

// A manager that was killed leaves its name on the root window; GLFW 3.3 asks that manager's window, which is gone, and aborts. One of
// these, made before glfwInit, removes such a name. It lives until glfwInit is done: a display without any client may start anew.
// Does nothing where there is no X11.
class DeadManagerForgotten {
 public:
  DeadManagerForgotten();
  ~DeadManagerForgotten();
  DeadManagerForgotten(const DeadManagerForgotten&) = delete;
  DeadManagerForgotten& operator=(const DeadManagerForgotten&) = delete;

 private:
  void* display_ = nullptr;
};

}  // namespace tessera::studio
