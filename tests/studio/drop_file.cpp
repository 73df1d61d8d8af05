// SPDX-License-Identifier: BSD-3-Clause
// Lets go of a file over the studio's window, as a file manager does (XDND 5), and waits until the window is called after it.
//   drop_file /path/of/a.tess
#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

namespace {

std::string title_of(Display* display, Window window) {
  char* name = nullptr;
  std::string title;
  if (XFetchName(display, window, &name) != 0 && name) title = name;
  if (name) XFree(name);
  return title;
}

// The first window below this one whose title says Tessera; 0: none.
Window find_studio(Display* display, Window window) {
  if (title_of(display, window).find("Tessera") != std::string::npos) return window;
  Window root = 0, parent = 0, found = 0, *children = nullptr;
  unsigned count = 0;
  if (XQueryTree(display, window, &root, &parent, &children, &count) == 0) return 0;
  for (unsigned i = 0; i < count && found == 0; ++i) found = find_studio(display, children[i]);
  if (children) XFree(children);
  return found;
}

class Hand {
 public:
  Hand(Display* display, Window studio, std::string path) : display_(display), studio_(studio), path_(std::move(path)) {
    own_ = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 10, 10, 0, 0, 0);
    XSetSelectionOwner(display, atom("XdndSelection"), own_, CurrentTime);
  }

  void let_go() {
    constexpr long kVersion = 5L << 24, kPlace = 200L << 16 | 200L;
    send("XdndEnter", kVersion, static_cast<long>(atom("text/uri-list")), 0);
    send("XdndPosition", 0, kPlace, CurrentTime, static_cast<long>(atom("XdndActionCopy")));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    send("XdndDrop", 0, CurrentTime, 0);
  }

  // Says which file it is when the studio asks.
  void answer() {
    while (XPending(display_) > 0) {
      XEvent event;
      XNextEvent(display_, &event);
      if (event.type != SelectionRequest) continue;
      const XSelectionRequestEvent& asked = event.xselectionrequest;
      const std::string uri = "file://" + path_ + "\r\n";
      XChangeProperty(display_, asked.requestor, asked.property, asked.target, 8, PropModeReplace,
                      reinterpret_cast<const unsigned char*>(uri.data()), static_cast<int>(uri.size()));
      XEvent answer;
      std::memset(&answer, 0, sizeof answer);
      answer.xselection.type = SelectionNotify;
      answer.xselection.requestor = asked.requestor;
      answer.xselection.selection = asked.selection;
      answer.xselection.target = asked.target;
      answer.xselection.property = asked.property;
      XSendEvent(display_, asked.requestor, False, 0, &answer);
      XFlush(display_);
    }
  }

 private:
  Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

  void send(const char* type, long a, long b, long c, long d = 0) {
    XEvent event;
    std::memset(&event, 0, sizeof event);
    event.xclient.type = ClientMessage;
    event.xclient.window = studio_;
    event.xclient.message_type = atom(type);
    event.xclient.format = 32;
    const long data[] = {static_cast<long>(own_), a, b, c, d};
    std::memcpy(event.xclient.data.l, data, sizeof data);
    XSendEvent(display_, studio_, False, 0, &event);
    XFlush(display_);
  }

  Display* display_;
  Window studio_, own_ = 0;
  std::string path_;
};

}  // namespace

int main(int argc, char** argv) {
  Display* const display = XOpenDisplay(nullptr);
  if (argc != 2 || !display) return 2;
  const std::string path = argv[1], name = path.substr(path.rfind('/') + 1);
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  constexpr int kPatience = 300;
  Window studio = 0;
  for (int i = 0; i < kPatience && studio == 0; ++i, wait()) studio = find_studio(display, DefaultRootWindow(display));
  if (studio == 0) return 1;
  wait();
  Hand hand(display, studio, path);
  hand.let_go();
  bool opened = false;
  for (int i = 0; i < kPatience && !opened; ++i, wait()) {
    hand.answer();
    opened = title_of(display, studio).rfind(name, 0) == 0;
  }
  XCloseDisplay(display);
  return opened ? 0 : 1;
}
