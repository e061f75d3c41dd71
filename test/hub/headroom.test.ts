import { describe, expect, it } from "vitest";
import { readHeadroom } from "../../src/hub/headroom.ts";

describe("readHeadroom()", () => {
  it.each([
    ["nothing", {}, undefined],
    ["OpenAI's headers", { "x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59" }, 59 / 60],
    [
      "the smallest of several",
      {
        "x-ratelimit-limit-requests": "100",
        "x-ratelimit-remaining-requests": "90",
        "x-ratelimit-limit-tokens": "150000",
        "x-ratelimit-remaining-tokens": "15000",
        "x-ratelimit-reset-tokens": "6m0s",
      },
      0.1,
    ],
    [
      "the Messages format's headers",
      {
        "anthropic-ratelimit-input-tokens-limit": "1000",
        "anthropic-ratelimit-input-tokens-remaining": "0",
        "anthropic-ratelimit-input-tokens-reset": "2026-11-22T00:00:00Z",
      },
      0,
    ],
    ["a limit without what is left", { "x-ratelimit-limit-requests": "60" }, undefined],
    ["what is left without a limit", { "x-ratelimit-remaining-requests": "5" }, undefined],
    ["what is no number", { "x-ratelimit-limit-requests": "many", "x-ratelimit-remaining-requests": "few" }, undefined],
    ["a limit of none", { "x-ratelimit-limit-requests": "0", "x-ratelimit-remaining-requests": "0" }, undefined],
    ["more than all", { "x-ratelimit-limit-requests": "10", "x-ratelimit-remaining-requests": "20" }, undefined],
  ])("reads %s", (_what, headers, expected) => {
    expect(readHeadroom(headers as Record<string, string>)).toBe(expected);
  });
});
