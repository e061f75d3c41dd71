import { describe, expect, it } from "vitest";
import { nearestWord } from "../../src/lib/nearest-word.ts";

const WORDS = ["server", "database", "models", "host", "port", "n"];

describe("nearestWord()", () => {
  it.each([
    ["sever", "server"],
    ["Server", "server"],
    ["databse", "database"],
    ["dtaabase", "database"],
    ["model", "models"],
    ["prot", "port"],
    ["pst", undefined],
    ["x", undefined],
    ["", undefined],
    ["upstreams", undefined],
    ["s".repeat(1_000_000), undefined],
  ])("of %.10s", (written, word) => {
    expect(nearestWord(written, WORDS)).toBe(word);
  });
});
