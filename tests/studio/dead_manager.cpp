// SPDX-License-Identifier: BSD-3-Clause
// Leaves a display as a window manager does that was killed: the root window names a window that is gone.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

int main() {
  Display* const display = XOpenDisplay(nullptr);
  if (!display) return 1;
  const Window root = DefaultRootWindow(display);
  const Window manager = XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0);
  const Atom name = XInternAtom(display, "_NET_SUPPORTING_WM_CHECK", False);
  XChangeProperty(display, root, name, XA_WINDOW, 32, PropModeReplace, reinterpret_cast<const unsigned char*>(&manager), 1);
  XCloseDisplay(display);  // and with it the manager's window
  return 0;
}
