import { describe, expect, it } from "vitest";
import { readUsage } from "../../../src/formats/shared/read-usage.ts";

interface Told {
  readonly prompt?: unknown;
  readonly output?: unknown;
  readonly total?: unknown;
  readonly reasoning?: unknown;
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
}

function read({ prompt, output, total, reasoning, cacheRead, cacheWrite }: Told) {
  const details = { cached_tokens: cacheRead, cache_write_tokens: cacheWrite };
  return readUsage({ prompt, output, reasoning, usage: { total_tokens: total }, details });
}

const counts = (inputTokens: number, outputTokens: number, more: object = {}) => ({
  inputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens,
  reasoningTokens: undefined,
  ...more,
});

describe("readUsage()", () => {
  it.each<[string, Told, object]>([
    [
      "reasoning inside of the output",
      { prompt: 20, output: 105, total: 125, reasoning: 100 },
      counts(20, 105, { reasoningTokens: 100 }),
    ],
    [
      "reasoning beside it, by the total",
      { prompt: 20, output: 5, total: 125, reasoning: 100 },
      counts(20, 105, { reasoningTokens: 100 }),
    ],
    [
      "reasoning beside it, without a total",
      { prompt: 20, output: 5, reasoning: 100 },
      counts(20, 105, { reasoningTokens: 100 }),
    ],
    ["a prompt that the total alone tells", { prompt: null, output: 20, total: 120 }, counts(100, 20)],
    [
      "a prompt that a cache held, told by the total alone",
      { prompt: 0, output: 20, total: 120, cacheRead: 100 },
      counts(0, 20, { cacheReadTokens: 100 }),
    ],
    ["counts as text", { prompt: "20", output: "5", total: "25" }, counts(20, 5)],
    ["output that the total alone tells", { prompt: 20, output: 5, total: 125 }, counts(20, 105)],
    [
      "reasoning that the total leaves no room for",
      { prompt: 20, output: 5, total: 25, reasoning: 100 },
      counts(20, 5, { reasoningTokens: 5 }),
    ],
    [
      "a cache inside of the prompt",
      { prompt: 100, output: 5, total: 105, cacheRead: 60, cacheWrite: 10 },
      counts(30, 5, { cacheReadTokens: 60, cacheWriteTokens: 10 }),
    ],
    [
      "a cache beside it, by the total",
      { prompt: 100, output: 5, total: 1065, cacheRead: 900, cacheWrite: 60 },
      counts(100, 5, { cacheReadTokens: 900, cacheWriteTokens: 60 }),
    ],
    [
      "the same count of reasoning and cache as reasoning",
      { prompt: 100, output: 5, total: 165, reasoning: 60, cacheRead: 60 },
      counts(40, 65, { cacheReadTokens: 60, reasoningTokens: 60 }),
    ],
    ["a cache that holds more than the prompt", { prompt: 5, cacheRead: 9 }, counts(0, 0, { cacheReadTokens: 5 })],
    ["a total of less than its parts", { prompt: 20, output: 5, total: 3 }, counts(20, 5)],
    ["what is no count", { prompt: "-20", output: -1, total: 1.5, cacheRead: null }, counts(0, 0)],
  ])("reads %s", (_name, told, expected) => {
    expect(read(told)).toEqual(expected);
  });
});
