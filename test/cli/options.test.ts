import { describe, expect, it } from "vitest";
import { readUrl } from "../../src/cli/options.ts";

describe("readUrl()", () => {
  it.each([
    ["https://attune.example.com", "https://attune.example.com"],
    ["https://attune.example.com/", "https://attune.example.com"],
    ["http://127.0.0.1:8080/below/", "http://127.0.0.1:8080/below"],
    // The base URL of an SDK, which stands in the same variable.
    ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8080"],
    ["http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080"],
    ["https://example.com/attune/v1", "https://example.com/attune"],
    ["https://example.com/v1beta", "https://example.com/v1beta"],
  ])("reads %s as the service at %s", (text, expected) => {
    expect(readUrl(text)).toBe(expected);
  });

  it.each(["attune.example.com", "ftp://a.example", "https://a.example?x=1"])("refuses %s", (text) => {
    expect(() => readUrl(text)).toThrow("must be an address such as");
  });
});
