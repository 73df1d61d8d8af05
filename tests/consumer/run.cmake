# Installs the library into a folder of its own, builds the consumer against it, and runs it: see tests/CMakeLists.txt
set(root ${BUILD}/consumer)
file(REMOVE_RECURSE ${root})
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${root}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${root}/build -DCMAKE_PREFIX_PATH=${root}/prefix -DCMAKE_BUILD_TYPE=Release
    -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${root}/build)
run(${root}/build/consumer)
