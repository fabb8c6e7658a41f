# tests/functions.cmake - how a test becomes a target and a ctest entry. Naming one twice is the same as once.

set(DC_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1)
# Open MPI leaks at exit: lsan.supp names where; keep_modules.c keeps the names known
if(DUMPCAP_SANITIZE)
    add_library(dc_keep_modules SHARED ${CMAKE_CURRENT_LIST_DIR}/keep_modules.c)
    list(APPEND DC_MPI_ENVIRONMENT ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$<TARGET_FILE:dc_keep_modules>
        LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/lsan.supp:print_suppressions=0)
endif()
if(IS_DIRECTORY /dev/shm)
    set(DC_SCRATCH /dev/shm)
else()
    set(DC_SCRATCH /tmp)
endif()
set(DC_TEST_ENVIRONMENT "DUMPCAP_SAMPLES=${DUMPCAP_SAMPLES}")

# dc_test_library(name lib...): tests/<name>.c, shared by tests
function(dc_test_library name)
    add_library(dc_${name} STATIC ${name}.c)
    target_link_libraries(dc_${name} PUBLIC dc_harness ${ARGN})
endfunction()

# dc_unit_test(name lib...): tests/test_<name>.c, label unit, no mpirun
function(dc_unit_test name)
    if(TARGET test_${name})
        return()
    endif()
    add_executable(test_${name} test_${name}.c)
    target_link_libraries(test_${name} PRIVATE dc_harness ${ARGN})
    add_test(NAME unit.${name} COMMAND test_${name})
    set_tests_properties(unit.${name} PROPERTIES LABELS unit TIMEOUT 120 ENVIRONMENT "${DC_TEST_ENVIRONMENT}")
endfunction()

# dc_mpi_test(name lib...): tests/test_<name>.c at several process counts, labels mpi and np<N>
function(dc_mpi_test name)
    if(TARGET test_${name})
        return()
    endif()
    add_executable(test_${name} test_${name}.c)
    target_link_libraries(test_${name} PRIVATE dc_mpi_harness ${ARGN})
    foreach(np 1 2 3 4 8)
        add_test(NAME mpi.${name}.np${np}
            COMMAND ${MPIEXEC_EXECUTABLE} -q --oversubscribe -np ${np} $<TARGET_FILE:test_${name}>)
        set_tests_properties(mpi.${name}.np${np} PROPERTIES LABELS "mpi;np${np}" TIMEOUT 60
            ENVIRONMENT "${DC_MPI_ENVIRONMENT};${DC_TEST_ENVIRONMENT}")
    endforeach()
endfunction()

# dc_cli_test(name [np...]): tests/cli/<name>.sh by run_cli.sh at 1 (no mpirun) and 3 processes unless told, label cli
function(dc_cli_test name)
    set(counts ${ARGN})
    if(NOT counts)
        set(counts 1 3)
    endif()
    foreach(np ${counts})
        if(TEST cli.${name}.np${np})
            continue()
        endif()
        add_test(NAME cli.${name}.np${np}
            COMMAND env "PATH=${CMAKE_BINARY_DIR}/bin:$ENV{PATH}" ${CMAKE_CURRENT_SOURCE_DIR}/run_cli.sh
                ${CMAKE_CURRENT_SOURCE_DIR}/cli/${name}.sh ${np} ${CMAKE_CURRENT_BINARY_DIR}/cli.${name}.np${np})
        set_tests_properties(cli.${name}.np${np} PROPERTIES LABELS cli TIMEOUT 120 SKIP_RETURN_CODE 77
            FIXTURES_REQUIRED cli_tree
            ENVIRONMENT "${DC_MPI_ENVIRONMENT};${DC_TEST_ENVIRONMENT};TREE=${CMAKE_CURRENT_BINARY_DIR}/cli-tree/dump")
    endforeach()
endfunction()

# dc_lint(name script arg...)
function(dc_lint name)
    add_test(NAME lint.${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/${ARGN})
    set_tests_properties(lint.${name} PROPERTIES LABELS lint SKIP_RETURN_CODE 77 TIMEOUT 1200)
endfunction()
