# Every public header compiles alone: one generated source a header, compiled and never linked.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/core/*.hpp ${PROJECT_SOURCE_DIR}/kernels/*.hpp
     ${PROJECT_SOURCE_DIR}/app/session/*.hpp ${PROJECT_SOURCE_DIR}/app/cli/*.hpp)
set(header_sources)
foreach(header ${headers})
  string(REPLACE "/" "_" name ${header})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"@header@\"\n#include \"@header@\"\n" @ONLY)
  list(APPEND header_sources ${source})
endforeach()
add_library(header_checks OBJECT ${header_sources})
target_include_directories(header_checks PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_features(header_checks PRIVATE cxx_std_20)
target_compile_options(header_checks PRIVATE -O0 -g0 -Wall -Wextra)
