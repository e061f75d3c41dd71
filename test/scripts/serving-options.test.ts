import { expect, it } from "vitest";
import { servingOptions } from "../../scripts/serving-options.mjs";

const ALWAYS = [
  "--initial-old-space-size=40",
  "--no-maglev",
  "--invocation-count-for-turbofan=400",
  "--no-allocation-site-pretenuring",
  "--no-parallel-scavenge",
  "--no-concurrent-sweeping",
  "--no-memory-reducer",
  "--max-inlined-bytecode-size=1000",
  "--max-inlined-bytecode-size-cumulative=2000",
];

it("limits the room for new objects and for old ones until they are first looked at, what waits for compilers, and the pools of glibc, and lets functions grow", () => {
  expect(servingOptions({ NODE_OPTIONS: "--enable-source-maps" })).toEqual({
    flags: ["--max-semi-space-size=8", ...ALWAYS],
    environment: { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "1048576" },
  });
});

it("leaves what the user has set", () => {
  const set = { MALLOC_ARENA_MAX: "4", MALLOC_TRIM_THRESHOLD_: "131072" };
  const own = { flags: ALWAYS, environment: set };
  expect(servingOptions({ NODE_OPTIONS: "--max-semi-space-size=64", ...set })).toEqual(own);
  expect(servingOptions({ NODE_OPTIONS: "--max_semi_space_size 64", ...set })).toEqual(own);
});
