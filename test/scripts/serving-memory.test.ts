import { expect, it } from "vitest";
import { servingMemory } from "../../scripts/serving-memory.mjs";

it("limits the room for new objects, what waits for compilers, and the pools of glibc", () => {
  expect(servingMemory({ NODE_OPTIONS: "--enable-source-maps" })).toEqual({
    flags: ["--max-semi-space-size=8", "--no-maglev"],
    environment: { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "1048576" },
  });
});

it("leaves what the user has set", () => {
  const set = { MALLOC_ARENA_MAX: "4", MALLOC_TRIM_THRESHOLD_: "131072" };
  const own = { flags: ["--no-maglev"], environment: set };
  expect(servingMemory({ NODE_OPTIONS: "--max-semi-space-size=64", ...set })).toEqual(own);
  expect(servingMemory({ NODE_OPTIONS: "--max_semi_space_size 64", ...set })).toEqual(own);
});
