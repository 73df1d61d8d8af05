# The sources are as clang-format 14 writes them. Other versions write some lines otherwise, so they are not asked.
option(TESSERA_CHECK_FORMAT "Test that clang-format 14 would change nothing, where it is installed" ON)
find_program(TESSERA_CLANG_FORMAT NAMES clang-format-14 clang-format)
if(TESSERA_CHECK_FORMAT AND TESSERA_CLANG_FORMAT)
  execute_process(COMMAND ${TESSERA_CLANG_FORMAT} --version OUTPUT_VARIABLE clang_format_version)
  if(clang_format_version MATCHES "version 14\\.")
    file(GLOB_RECURSE formatted CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/*.?pp ${PROJECT_SOURCE_DIR}/kernels/*.?pp ${PROJECT_SOURCE_DIR}/app/*.?pp
         ${PROJECT_SOURCE_DIR}/tests/*.?pp)
    add_test(NAME format COMMAND ${TESSERA_CLANG_FORMAT} --dry-run -Werror ${formatted})
  else()
    message(STATUS "format is not checked: it needs clang-format 14, and this is ${clang_format_version}")
  endif()
endif()
