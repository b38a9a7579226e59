# Checks the installed library: its name, dependencies, exported symbols and headers.
set(library ${PREFIX}/${LIBDIR}/libheddle_supervise.so)

function(output_of result)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

output_of(dynamic readelf -d ${library})
if(NOT dynamic MATCHES "SONAME[^\n]*libheddle_supervise\\.so\\.[0-9]+\\.[0-9]+\\]")
  message(SEND_ERROR "no SONAME with a version:\n${dynamic}")
endif()
string(REGEX MATCHALL "NEEDED[^\n]*" needed "${dynamic}")
foreach(line IN LISTS needed)
  if(line MATCHES "boost|lua|curl|sqlite|ssl")
    message(SEND_ERROR "it must not link ${line}")
  endif()
endforeach()

# Apart from weak template symbols, every exported symbol is in heddle:: and in no internal module.
output_of(symbols nm -D --defined-only -C ${library})
string(REGEX MATCHALL "[^\n]+" lines "${symbols}")
set(shown 0)
foreach(line IN LISTS lines)
  if(line MATCHES " [TDBR] heddle::(supervise|embed|ipc|process)::" OR line MATCHES " [TDBR] boost")
    message(SEND_ERROR "it must not show ${line}")
  elseif(line MATCHES " T heddle::")
    math(EXPR shown "${shown} + 1")
  endif()
endforeach()
if(shown LESS 20)
  message(SEND_ERROR "it shows only ${shown} functions:\n${symbols}")
endif()

# Each header compiles alone and needs only the standard library.
file(GLOB headers RELATIVE ${PREFIX}/include ${PREFIX}/include/heddle/*.hpp)
foreach(header IN LISTS headers)
  file(READ ${PREFIX}/include/${header} text)
  if(text MATCHES "#include [<\"](boost|lua|curl|fmt)")
    message(SEND_ERROR "${header} includes ${CMAKE_MATCH_1}")
  endif()
  file(WRITE ${SCRATCH}/header_alone.cpp "#include <${header}>\n")
  execute_process(COMMAND ${COMPILER} -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only
                          -I ${PREFIX}/include ${SCRATCH}/header_alone.cpp
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
