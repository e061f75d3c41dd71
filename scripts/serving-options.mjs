// Runs on the system's Node 20: plain JavaScript, no dependencies.

/**
 * Flags and environment of a process that serves; what the user has set stays. Each thread has room for new objects of
 * three times the size of a semi-space. Of old ones there are some 30 MB: V8 would let them come to 79 before it
 * collects them for the first time, and keeps what it then has. While a process warms up, V8's middle compiler (Maglev)
 * would have hundreds of functions in hand at once, with 65 MB that glibc keeps; without it TurboFan compiles them, and
 * may put twice as much into one function as V8 lets it. It does so from the 400th call of a function on, which is when
 * Maglev would: V8 has it wait for 3,000, and most functions run once a request. No line of code makes its objects
 * among the old ones (pretenuring): V8 did so with all messages, since those of the start, which protobuf-es makes by
 * the same line, live on, and each then held its texts until the next full collection, for 14% of a unary request's
 * CPU. New objects are collected, and memory of buffers is freed, by the thread that they belong to: V8's helpers
 * waited for each other and for malloc, a tenth of it. A process without a request for some seconds keeps its heap as
 * it is: V8's memory reducer would drop the maps of short-lived objects, and with them all optimized code. glibc has
 * one pool for all threads in place of eight for each core, and gives back what is free at its end from 1 MB on.
 * docs/decisions/0050-heaps.md has the measurements.
 */
export function servingOptions(environment) {
  const hasOwn = /--max[-_]semi[-_]space[-_]size/.test(environment.NODE_OPTIONS ?? "");
  return {
    flags: [
      ...(hasOwn ? [] : ["--max-semi-space-size=8"]),
      "--initial-old-space-size=40",
      "--no-maglev",
      "--invocation-count-for-turbofan=400",
      "--no-allocation-site-pretenuring",
      "--no-parallel-scavenge",
      "--no-concurrent-sweeping",
      "--no-memory-reducer",
      "--max-inlined-bytecode-size=1000",
      "--max-inlined-bytecode-size-cumulative=2000",
    ],
    environment: {
      MALLOC_ARENA_MAX: environment.MALLOC_ARENA_MAX ?? "1",
      MALLOC_TRIM_THRESHOLD_: environment.MALLOC_TRIM_THRESHOLD_ ?? "1048576",
    },
  };
}
