// SPDX-License-Identifier: BSD-3-Clause
// The root window's _NET_SUPPORTING_WM_CHECK is removed when it names a window that does not exist. The server is held meanwhile, so that
// no manager can start in between; the next one writes its own.
#include "app/studio/frame/window_manager.hpp"

#ifdef TESSERA_HAVE_X11
#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <cstring>
#endif

namespace tessera::studio {

#ifdef TESSERA_HAVE_X11

namespace {

bool refused = false;  // Xlib's handler has no context
int note_refusal(Display*, XErrorEvent*) {
  refused = true;
  return 0;
}

// The window that the root's property names; 0 when there is none.
Window named_window(Display* display, Window root, Atom property) {
  Atom type = 0;
  int format = 0;
  unsigned long count = 0, rest = 0;
  unsigned char* bytes = nullptr;
  Window window = 0;
  const int status = XGetWindowProperty(display, root, property, 0, 1, False, XA_WINDOW, &type, &format, &count, &rest, &bytes);
  if (status == Success && type == XA_WINDOW && format == 32 && count == 1) std::memcpy(&window, bytes, sizeof window);
  if (bytes) XFree(bytes);
  return window;
}

}  // namespace

DeadManagerForgotten::DeadManagerForgotten() {
  Display* const display = XOpenDisplay(nullptr);
  display_ = display;
  if (!display) return;
  const Window root = DefaultRootWindow(display);
  const Atom property = XInternAtom(display, "_NET_SUPPORTING_WM_CHECK", True);
  if (property != None) {
    XGrabServer(display);
    if (const Window manager = named_window(display, root, property)) {
      refused = false;
      const auto before = XSetErrorHandler(note_refusal);
      XWindowAttributes facts;
      const bool there = XGetWindowAttributes(display, manager, &facts) != 0;
      XSync(display, False);
      XSetErrorHandler(before);
      if (!there && refused) XDeleteProperty(display, root, property);
    }
    XUngrabServer(display);
    XSync(display, False);
  }
}

DeadManagerForgotten::~DeadManagerForgotten() {
  if (display_) XCloseDisplay(static_cast<Display*>(display_));
}

#else

DeadManagerForgotten::DeadManagerForgotten() = default;
DeadManagerForgotten::~DeadManagerForgotten() = default;

#endif

}  // namespace tessera::studio
