# How CMake builds HiGHS for static programs (scripts/release). Compilers are called with
# -static then, also to link libhighs_extras.so, which HiGHS builds whether it is needed or
# not, and which has no use for the start files of programs.
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-nostartfiles")
