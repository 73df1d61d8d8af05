// SPDX-License-Identifier: BSD-3-Clause
// GLFW's window, OpenGL's textures, ImGui's backends.
#include "app/studio/frame/window.hpp"

#include <GLFW/glfw3.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#if __has_include(<backends/imgui_impl_glfw.h>)
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>
#include <cfloat>

#include "app/studio/frame/window_manager.hpp"
#include "core/base/private_file.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr GLint kClampToEdge = 0x812F;  // OpenGL 1.2; <GL/gl.h> stops at 1.1 on some systems

std::string& last_error() {
  static std::string text;  // GLFW's callback has no context
  return text;
}

void remember_error(int, const char* description) { last_error() = description; }

Error no_window(const std::string& what, const char* advice) {
  const std::string why = last_error().empty() ? std::string() : " (" + printable(last_error()) + ")";
  return Error{ErrorCode::io, what + why + ": " + advice + "use --screenshot FILE or tessera draw", {}, {}};
}
constexpr const char* kTrySoftware = "set LIBGL_ALWAYS_SOFTWARE=1 to let the processor draw, or ";

std::string words_of_gl(GLenum name) {
  const auto* words = glGetString(name);
  return words ? reinterpret_cast<const char*>(words) : "";
}

using ResetStatus = GLenum (*)();
// Null where OpenGL does not say that its driver has started anew.
ResetStatus reset_status() {
  for (const auto& [extension, function] :
       {std::pair("GL_ARB_robustness", "glGetGraphicsResetStatusARB"), std::pair("GL_KHR_robustness", "glGetGraphicsResetStatus")}) {
    if (glfwExtensionSupported(extension) == GLFW_TRUE) return reinterpret_cast<ResetStatus>(glfwGetProcAddress(function));
  }
  return nullptr;
}

// Mesa keeps shaders in a file that it maps; where the disk is full, its first write there ends the program.
void spare_a_full_disk() {
  namespace fs = std::filesystem;
  constexpr std::uintmax_t kRoom = std::uintmax_t{16} << 20;  // bytes
  std::error_code error;
  fs::path folder = own_folder(OwnFolder::cache);
  while (!folder.empty() && folder != folder.parent_path() && !fs::exists(folder, error)) folder = folder.parent_path();
  const fs::space_info space = fs::space(folder, error);
  if (error || space.available >= kRoom) return;
  for (const char* name : {"MESA_SHADER_CACHE_DISABLE", "MESA_GLSL_CACHE_DISABLE"}) ::setenv(name, "true", 0);
}

// For tests, which cannot reset a driver: the frame after which the window's context counts as lost; 0: none.
long frame_of_loss() {
  const char* set = std::getenv("TESSERA_TEST_LOSE_CONTEXT");
  return set ? std::strtol(set, nullptr, 10) : 0;
}

Modifiers modifiers_of(int mods) {
  return {(mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0, (mods & GLFW_MOD_ALT) != 0, (mods & GLFW_MOD_SUPER) != 0};
}

// The keys that text fields know by what they do. Letters are told by what stands on them, which the keyboard's language decides.
std::optional<ImGuiKey> named_key(int key, char letter) {
  switch (key) {
    case GLFW_KEY_TAB: return ImGuiKey_Tab;
    case GLFW_KEY_LEFT: return ImGuiKey_LeftArrow;
    case GLFW_KEY_RIGHT: return ImGuiKey_RightArrow;
    case GLFW_KEY_UP: return ImGuiKey_UpArrow;
    case GLFW_KEY_DOWN: return ImGuiKey_DownArrow;
    case GLFW_KEY_PAGE_UP: return ImGuiKey_PageUp;
    case GLFW_KEY_PAGE_DOWN: return ImGuiKey_PageDown;
    case GLFW_KEY_HOME: return ImGuiKey_Home;
    case GLFW_KEY_END: return ImGuiKey_End;
    case GLFW_KEY_INSERT: return ImGuiKey_Insert;
    case GLFW_KEY_DELETE: return ImGuiKey_Delete;
    case GLFW_KEY_BACKSPACE: return ImGuiKey_Backspace;
    case GLFW_KEY_SPACE: return ImGuiKey_Space;
    case GLFW_KEY_ENTER: return ImGuiKey_Enter;
    case GLFW_KEY_KP_ENTER: return kKeypadEnter;
    case GLFW_KEY_ESCAPE: return ImGuiKey_Escape;
    default: break;
  }
  switch (letter) {
    case 'a': return ImGuiKey_A;
    case 'c': return ImGuiKey_C;
    case 'v': return ImGuiKey_V;
    case 'x': return ImGuiKey_X;
    case 'y': return ImGuiKey_Y;
    case 'z': return ImGuiKey_Z;
    default: return std::nullopt;
  }
}

}  // namespace

struct Window::Parts {
  GLFWwindow* window = nullptr;
  ImGuiContext* context = nullptr;
  bool first = true;  // of the program: it ends GLFW
  bool backends = false;
  InputQueue input;
  bool happened = false;                     // since the last wait
  std::map<std::uint64_t, GLuint> uploaded;  // our key -> OpenGL's name
  ImFontAtlas of_backend;                    // fonts that nothing is written in
  float scale = 1;                           // pixels for 1/96 inch
  ImVec2 shown{0, 0};                        // size when it was last not minimised
  Graphics graphics;
  ResetStatus reset = nullptr;
  long frames = 0;
  std::string title;
  bool fills = false;  // the screen
  int place[4] = {};   // x, y, width, height, where it had before

  ~Parts() {
    {
      const Current here(*this);
      destroy();
    }
    if (context) ImGui::DestroyContext(context);
    if (first) glfwTerminate();
  }

  // What ImGui and OpenGL are told goes to this window while one of these lives.
  class Current {
   public:
    explicit Current(const Parts& parts) : context_(ImGui::GetCurrentContext()), before_(glfwGetCurrentContext()), window_(parts.window) {
      ImGui::SetCurrentContext(parts.context);
      if (window_) glfwMakeContextCurrent(window_);
    }
    ~Current() {
      ImGui::SetCurrentContext(context_);
      if (before_ && before_ != window_) glfwMakeContextCurrent(before_);  // the same may be gone by now
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    ImGuiContext* context_;
    GLFWwindow *before_, *window_;
  };

  Status create(const WindowWish& wish);
  void destroy();
  void renew();
  void fill_screen(bool fills);
  bool lost() const { return (reset && reset() != GL_NO_ERROR) || (frames == frame_of_loss() && frames > 0); }

  static Parts& of(GLFWwindow* window) { return *static_cast<Parts*>(glfwGetWindowUserPointer(window)); }
  static void add(GLFWwindow* window, InputEvent event) {
    of(window).happened = true;
    of(window).input.add(std::move(event));
  }
  static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods);
  static void redraw(GLFWwindow* window) { of(window).happened = true; }
  void listen();
  void sync(const Textures& textures);
  void retarget_commands(ImDrawData& data) const;
};

// A key that is held down repeats as text by itself; other keys ImGui repeats.
void Window::Parts::on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  if (action == GLFW_REPEAT) return;
  const char* name = glfwGetKeyName(key, scancode);
  const char letter = name && name[0] && !name[1] ? name[0] : '\0';
  const bool down = action == GLFW_PRESS, with_ctrl = (mods & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0;
  const std::optional<ImGuiKey> named = named_key(key, letter);
  const bool is_letter = named && named == named_key(GLFW_KEY_UNKNOWN, letter);
  const int function = key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12 ? key - GLFW_KEY_F1 + 1 : 0;
  if (down && !with_ctrl && (mods & GLFW_MOD_ALT) == 0 && function == 0 && (is_letter || !named)) return;  // it arrives as text
  add(window, KeyChanged{named, letter, down, modifiers_of(mods), function});
}

// Nothing is asked for at the time of a frame: what the person did is in the order in which it happened.
void Window::Parts::listen() {
  glfwSetWindowUserPointer(window, this);
  glfwSetKeyCallback(window, on_key);
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned letter) { add(w, TextTyped{static_cast<char32_t>(letter)}); });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int mods) {
    add(w, MouseButton{button, action == GLFW_PRESS, modifiers_of(mods)});
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    add(w, MouseMoved{{static_cast<float>(x), static_cast<float>(y)}});
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (entered == GLFW_FALSE) add(w, MouseMoved{{-FLT_MAX, -FLT_MAX}});
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    const auto held = [&](int key) { return glfwGetKey(w, key) == GLFW_PRESS; };
    const Modifiers modifiers{held(GLFW_KEY_LEFT_CONTROL) || held(GLFW_KEY_RIGHT_CONTROL),
                              held(GLFW_KEY_LEFT_SHIFT) || held(GLFW_KEY_RIGHT_SHIFT), false, false};
    add(w, MouseWheel{{static_cast<float>(x), static_cast<float>(y)}, modifiers});
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) { add(w, FilesDropped{{paths, paths + count}}); });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) {
    glfwSetWindowShouldClose(w, GLFW_FALSE);  // the person is asked first
    add(w, CloseAsked{});
  });
  glfwSetWindowRefreshCallback(window, redraw);
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { redraw(w); });
  glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) { redraw(w); });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { redraw(w); });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float x, float) {  // it is on another monitor
    of(w).scale = std::max(x, 0.5f);
    redraw(w);
  });
}

// Windows share their fonts, whose texture has a key of ours. ImGui's backend makes one for itself, and would name that: it is given other
// fonts, whose texture is small. From 1.92 on it makes textures as they are drawn.
class OurFonts {
 public:
#if IMGUI_VERSION_NUM < 19200
  explicit OurFonts(ImFontAtlas& others) : own_(std::exchange(ImGui::GetIO().Fonts, &others)) {}
  ~OurFonts() { ImGui::GetIO().Fonts = own_; }
#else
  explicit OurFonts(ImFontAtlas&) : own_(ImGui::GetIO().Fonts), key_(texture_key(own_->TexID)) {}
  ~OurFonts() {
    if (key_ != 0) set_font_texture(*own_, key_);
  }
#endif
  OurFonts(const OurFonts&) = delete;
  OurFonts& operator=(const OurFonts&) = delete;

 private:
  ImFontAtlas* own_;
#if IMGUI_VERSION_NUM >= 19200
  std::uint64_t key_;
#endif
};

// The monitor that has most of a window; null where there is none.
GLFWmonitor* monitor_of(GLFWwindow* window) {
  int x = 0, y = 0, width = 0, height = 0, count = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  GLFWmonitor** const all = glfwGetMonitors(&count);
  GLFWmonitor* best = nullptr;
  long most = -1;
  for (int i = 0; i < count; ++i) {
    int left = 0, top = 0;
    glfwGetMonitorPos(all[i], &left, &top);
    const GLFWvidmode* const mode = glfwGetVideoMode(all[i]);
    if (!mode) continue;
    const long wide = std::max(0, std::min(x + width, left + mode->width) - std::max(x, left));
    const long high = std::max(0, std::min(y + height, top + mode->height) - std::max(y, top));
    if (wide * high > most) {
      most = wide * high;
      best = all[i];
    }
  }
  return best;
}

// Uploads what is new and frees what is gone.
void Window::Parts::sync(const Textures& textures) {
  for (const auto& [key, texture] : textures.all()) {
    if (uploaded.count(key)) continue;
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    const GLint filter = texture.smooth ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, kClampToEdge);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, kClampToEdge);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, texture.image.width, texture.image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texture.image.rgba.data());
    uploaded.emplace(key, name);
  }
  std::erase_if(uploaded, [&](const auto& entry) {
    if (textures.find(entry.first)) return false;
    glDeleteTextures(1, &entry.second);
    return true;
  });
}

// Draw lists name our keys; OpenGL wants its own names.
void Window::Parts::retarget_commands(ImDrawData& data) const {
  for (int n = 0; n < data.CmdListsCount; ++n) {
    for (ImDrawCmd& command : data.CmdLists[n]->CmdBuffer) {
      const auto found = uploaded.find(texture_of(command));
      if (found != uploaded.end()) retarget(command, found->second);
    }
  }
}

// A window, its OpenGL, and ImGui's two ends of it.
Status Window::Parts::create(const WindowWish& wish) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, wish.grows ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_VISIBLE, wish.visible ? GLFW_TRUE : GLFW_FALSE);
  for (const int robustness : {GLFW_LOSE_CONTEXT_ON_RESET, GLFW_NO_ROBUSTNESS}) {  // not every driver tells of its resets
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, robustness);
    if (!window) window = glfwCreateWindow(wish.size.width, wish.size.height, wish.title.c_str(), nullptr, nullptr);
  }
  if (!window) return no_window("no window with OpenGL 3.3", kTrySoftware);
  title = wish.title;
  glfwMakeContextCurrent(window);
  glfwSwapInterval(wish.waits ? 1 : 0);
  graphics = {words_of_gl(GL_RENDERER), words_of_gl(GL_VERSION)};
  reset = reset_status();
  listen();
  ImGui_ImplGlfw_InitForOpenGL(window, false);  // it hears nothing itself
  if (!ImGui_ImplOpenGL3_Init("#version 330")) {
    ImGui_ImplGlfw_Shutdown();
    return no_window("OpenGL's functions cannot be used with " + describe(graphics), kTrySoftware);
  }
  backends = true;
  float x = 1, y = 1;
  glfwGetWindowContentScale(window, &x, &y);
  scale = std::max(x, 0.5f);
  return Done{};
}

void Window::Parts::destroy() {
  if (backends) {
    const OurFonts kept(of_backend);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
  }
  if (window) glfwDestroyWindow(window);
  window = nullptr;
  backends = false;
  uploaded.clear();
}

// What OpenGL kept is gone with its context; pictures and fonts have a copy here.
void Window::Parts::renew() {
  const bool filled = fills;
  fill_screen(false);
  int x = 0, y = 0;
  WindowWish wish{.title = title, .size = {}, .grows = false};
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &wish.size.width, &wish.size.height);
  destroy();
  if (Status made = create(wish); !made) throw WindowLost{std::move(made).error()};
  glfwSetWindowPos(window, x, y);
  fill_screen(filled);
  happened = true;
}

void Window::Parts::fill_screen(bool wanted) {
  if (wanted == fills) return;
  GLFWmonitor* const monitor = wanted ? monitor_of(window) : nullptr;
  const GLFWvidmode* const mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (wanted && !mode) return;
  fills = wanted;
  if (wanted) {
    glfwGetWindowPos(window, &place[0], &place[1]);
    glfwGetWindowSize(window, &place[2], &place[3]);
    glfwSetWindowAttrib(window, GLFW_AUTO_ICONIFY, GLFW_FALSE);  // the speaker types in another window
    glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  } else {
    glfwSetWindowMonitor(window, nullptr, place[0], place[1], place[2], place[3], GLFW_DONT_CARE);
  }
  happened = true;
}

namespace {

// Settings of ImGui's current context.
void start_context() {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would wake the processor
  start_input();
}

}  // namespace

Window::Window(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Window::~Window() = default;

Result<std::unique_ptr<Window>> Window::open(const WindowWish& wish) {
  glfwSetErrorCallback(remember_error);
  spare_a_full_disk();
  const DeadManagerForgotten until_glfw_is_there;
  if (!glfwInit()) return no_window("no display", "");
  auto parts = std::make_unique<Parts>();
  parts->context = ImGui::CreateContext();
  start_context();
  TESSERA_CHECK(parts->create(wish));
  return std::unique_ptr<Window>(new Window(std::move(parts)));
}

const Graphics& Window::graphics() const { return parts_->graphics; }
float Window::scale() const { return parts_->scale; }

std::string facts_of_window() {
  const auto window = Window::open({.title = "Tessera", .size = kSmallestSize, .grows = false, .visible = false});
  return std::string("Dear ImGui ") + IMGUI_VERSION + "\nGLFW " + glfwGetVersionString() + "\ngraphics " +
         (window ? describe((*window)->graphics()) : "none: " + window.error().message);
}

double Window::now() const { return glfwGetTime(); }
InputQueue& Window::input() { return parts_->input; }
void Window::set_title(const std::string& title) {
  parts_->title = printable(title);
  glfwSetWindowTitle(parts_->window, parts_->title.c_str());
}

void Window::fill_screen(bool fills) { parts_->fill_screen(fills); }

Result<std::unique_ptr<Surface>> Window::beside(const std::string& title) {
  auto parts = std::make_unique<Parts>();
  parts->first = false;
  parts->context = ImGui::CreateContext(ImGui::GetIO().Fonts);
  const Parts::Current here(*parts);
  start_context();
  TESSERA_CHECK(parts->create({.title = title, .size = {1120, 700}}));
  int count = 0;
  GLFWmonitor** const all = glfwGetMonitors(&count);
  GLFWmonitor* const mine = monitor_of(parts_->window);
  for (int i = 0; i < count; ++i) {
    if (all[i] == mine) continue;
    constexpr int kMargin = 60;  // pixels
    int x = 0, y = 0;
    glfwGetMonitorPos(all[i], &x, &y);
    glfwSetWindowPos(parts->window, x + kMargin, y + kMargin);
    break;
  }
  return std::unique_ptr<Surface>(new Window(std::move(parts)));
}

bool Window::wait(double seconds) {
  if (seconds < 0)
    glfwWaitEvents();
  else if (seconds > 0)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
  return std::exchange(parts_->happened, false);
}

void Window::frame(const InputFrame& input, const Textures& textures, ImU32 background, const std::function<void()>& draw) {
  const Parts::Current here(*parts_);
  if (parts_->lost()) parts_->renew();
  ++parts_->frames;
  {
    const OurFonts kept(parts_->of_backend);
    ImGui_ImplOpenGL3_NewFrame();
  }
  ImGui_ImplGlfw_NewFrame();
  ImVec2& size = ImGui::GetIO().DisplaySize;  // 0x0 while it is minimised, in which no panel has room
  if (size.x >= 1 && size.y >= 1)
    parts_->shown = size;
  else
    size = parts_->shown;
  feed(input);  // over what the backend asked GLFW for: where the mouse is now may be ahead of the clicks
  ImGui::NewFrame();
  draw();
  ImGui::Render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(parts_->window, &width, &height);
  if (width == 0 || height == 0 || glfwGetWindowAttrib(parts_->window, GLFW_ICONIFIED) == GLFW_TRUE) return;
  glViewport(0, 0, width, height);
  const ImVec4 color = ImGui::ColorConvertU32ToFloat4(background);
  glClearColor(color.x, color.y, color.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  parts_->sync(textures);
  parts_->retarget_commands(*ImGui::GetDrawData());
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(parts_->window);
}

}  // namespace tessera::studio
