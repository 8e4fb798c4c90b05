# What differs between machines and compilers.
s/^(ok +compiler +).*/\1<COMPILER>/
s/^(ok +libraries +).*/\1<LIBRARIES>/
s/^(ok +cores +)[0-9]+/\1<N>/
