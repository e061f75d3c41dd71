import { describe, expect, it } from "vitest";
import { cutEchoes } from "../../../src/inference/attempts/cut-echoes.ts";

describe("cutEchoes()", () => {
  it.each([
    ["Invalid value: 'the marzipan lighthouse'", ["see the marzipan lighthouse at night"], "Invalid value: '[...]'"],
    [
      "input_value='marzipan-lighth...t night', type=str",
      ["marzipan-lighthouse at night"],
      "input_value='[...]...t night', type=str",
    ],
    ["a marzipan-lighthouse and b marzipan-lighthouse", ["marzipan-lighthouse"], "a [...] and b [...]"],
    ["messages: too many tokens", ["marzipan-lighthouse"], "messages: too many tokens"],
    ["short", ["short"], "short"],
    ["Grüße an alle 🌍 hier", ["Grüße an alle 🌍"], "[...] hier"],
  ])("cuts %j", (message, texts, cut) => {
    expect(cutEchoes(message, texts)).toBe(cut);
  });

  it("is fast over a large text", () => {
    const beganMs = performance.now();
    cutEchoes("Input should be a valid string".repeat(60), ["x".repeat(5_000_000)]);
    expect(performance.now() - beganMs).toBeLessThan(250);
  });
});
