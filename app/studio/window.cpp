// SPDX-License-Identifier: BSD-3-Clause
// GLFW's window, OpenGL's textures, ImGui's backends.
#include "app/studio/window.hpp"

#include <GLFW/glfw3.h>

#include <map>

#if __has_include(<backends/imgui_impl_glfw.h>)
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>

#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr GLint kClampToEdge = 0x812F;  // OpenGL 1.2; <GL/gl.h> stops at 1.1 on some systems

std::string& last_error() {
  static std::string text;  // GLFW's callback has no context
  return text;
}

void remember_error(int, const char* description) { last_error() = description; }

Error no_display(const char* what) {
  std::string why = last_error().empty() ? std::string() : " (" + last_error() + ")";
  return Error{ErrorCode::io, std::string(what) + why + ": use --screenshot FILE or tessera draw", {}, {}};
}

}  // namespace

struct Window::Parts {
  GLFWwindow* window = nullptr;
  bool imgui = false;
  std::vector<KeyPress> keys;
  std::vector<std::string> dropped;
  std::map<std::uint64_t, GLuint> uploaded;  // our key -> OpenGL's name

  ~Parts() {
    if (imgui) {
      ImGui_ImplOpenGL3_Shutdown();
      ImGui_ImplGlfw_Shutdown();
      ImGui::DestroyContext();
    }
    if (window) glfwDestroyWindow(window);
    glfwTerminate();
  }

  static Parts& of(GLFWwindow* window) { return *static_cast<Parts*>(glfwGetWindowUserPointer(window)); }
  static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    if (action == GLFW_RELEASE || (mods & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) == 0) return;
    const char* name = glfwGetKeyName(key, scancode);
    if (name && name[0] && !name[1]) of(window).keys.push_back({name[0], (mods & GLFW_MOD_SHIFT) != 0});
  }
  static void on_drop(GLFWwindow* window, int count, const char** paths) {
    for (int i = 0; i < count; ++i) of(window).dropped.emplace_back(paths[i]);
  }

  void sync(const Textures& textures);
  void retarget_commands(ImDrawData& data) const;
};

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

Window::Window(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Window::~Window() = default;

Result<std::unique_ptr<Window>> Window::open(const std::string& title, int width, int height) {
  glfwSetErrorCallback(remember_error);
  if (!glfwInit()) return no_display("no display");
  auto parts = std::make_unique<Parts>();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  parts->window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!parts->window) return no_display("no window with OpenGL 3.3");
  glfwMakeContextCurrent(parts->window);
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(parts->window, parts.get());
  glfwSetKeyCallback(parts->window, Parts::on_key);  // ImGui's backend calls it on
  glfwSetDropCallback(parts->window, Parts::on_drop);
  ImGui::CreateContext();
  parts->imgui = true;
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would wake the processor
  ImGui_ImplGlfw_InitForOpenGL(parts->window, true);
  ImGui_ImplOpenGL3_Init("#version 330");
  std::unique_ptr<Window> made(new Window(std::move(parts)));
  float x = 1, y = 1;
  glfwGetWindowContentScale(made->parts_->window, &x, &y);
  made->scale_ = std::max(x, 0.5f);
  return made;
}

bool Window::close_requested() const { return glfwWindowShouldClose(parts_->window) != 0; }
void Window::keep_open() { glfwSetWindowShouldClose(parts_->window, GLFW_FALSE); }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(parts_->window, printable(title).c_str()); }
std::vector<KeyPress> Window::take_keys() { return std::exchange(parts_->keys, {}); }
std::vector<std::string> Window::take_dropped() { return std::exchange(parts_->dropped, {}); }

void Window::wait(double seconds) {
  if (seconds < 0)
    glfwWaitEvents();
  else if (seconds > 0)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
}

void Window::frame(const Textures& textures, ImU32 background, const std::function<void()>& draw) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  draw();
  ImGui::Render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(parts_->window, &width, &height);
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
