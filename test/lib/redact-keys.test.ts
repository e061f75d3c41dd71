import { describe, expect, it } from "vitest";
import { redactKeys } from "../../src/lib/redact-keys.ts";

describe("redactKeys()", () => {
  it.each([
    [
      "Incorrect API key provided: sk-proj-ABCdef123456. See the docs.",
      "Incorrect API key provided: [redacted] See the docs.",
    ],
    ["key sk-ant-api03-abc_DEF-123 refused", "key [redacted] refused"],
    ["masked: ab12********wxyz", "masked: [redacted]"],
    ["masked: ab12****cd34****wxyz", "masked: [redacted]"],
    ["Authorization: Bearer abcdefgh12345", "Authorization: [redacted]"],
    ["token eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln", "token [redacted]"],
    ["google AIzaSyA1234567890abcdef", "google [redacted]"],
    ["raw 0123456789abcdef0123456789abcdef end", "raw [redacted] end"],
  ])("hides the key in: %s", (text, expected) => {
    expect(redactKeys(text)).toBe(expected);
  });

  it.each([
    "messages[2].content[0].image_url.url: must begin with 'https://'",
    "Item 'rs_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d' was provided without its required following item",
    "the model gpt-5-mini-2025-08-07 does not exist",
    "No tool output found for call call_Ab12Cd34Ef56Gh78Ij90Kl12Mn34",
    "a key-value pair and a risk-free basic plan",
  ])("leaves alone: %s", (text) => {
    expect(redactKeys(text)).toBe(text);
  });
});
