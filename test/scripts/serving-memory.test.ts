import { expect, it } from "vitest";
import { servingMemory } from "../../scripts/serving-memory.mjs";

it("limits the room for new objects and the pools of glibc", () => {
  expect(servingMemory({ NODE_OPTIONS: "--enable-source-maps" })).toEqual({
    flags: ["--max-semi-space-size=8"],
    environment: { MALLOC_ARENA_MAX: "2" },
  });
});

it("leaves what the user has set", () => {
  const own = { flags: [], environment: { MALLOC_ARENA_MAX: "4" } };
  expect(servingMemory({ NODE_OPTIONS: "--max-semi-space-size=64", MALLOC_ARENA_MAX: "4" })).toEqual(own);
  expect(servingMemory({ NODE_OPTIONS: "--max_semi_space_size 64", MALLOC_ARENA_MAX: "4" })).toEqual(own);
});
