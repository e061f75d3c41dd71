// Runs on the system's Node 20: plain JavaScript, no dependencies.

/**
 * Flags and environment of a process that serves, so that its memory fits what it does; what the user has set stays. Each thread
 * has room for new objects of three times this size, and glibc would keep what threads have freed in up to eight pools for each core.
 * docs/decisions/0050-heaps.md has the measurement.
 */
export function servingMemory(environment) {
  const hasOwn = /--max[-_]semi[-_]space[-_]size/.test(environment.NODE_OPTIONS ?? "");
  return {
    flags: hasOwn ? [] : ["--max-semi-space-size=8"],
    environment: { MALLOC_ARENA_MAX: environment.MALLOC_ARENA_MAX ?? "2" },
  };
}
