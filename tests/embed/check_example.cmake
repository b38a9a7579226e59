# Runs PROGRAM and compares what it prints with the first text block of its README.
file(READ ${README} page)
if(NOT page MATCHES "```text\n([^`]*)```")
  message(FATAL_ERROR "${README} does not say what is printed")
endif()
set(promised "${CMAKE_MATCH_1}")
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed ERROR_VARIABLE complaints
                RESULT_VARIABLE status TIMEOUT 50)
if(NOT status STREQUAL "0" OR NOT printed STREQUAL promised)
  message(FATAL_ERROR "status ${status}\nprinted:\n${printed}\npromised:\n${promised}\n${complaints}")
endif()
