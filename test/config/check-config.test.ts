import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/check-config.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-check-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The lines about upstreams of a configuration. */
function check(upstreams: string): readonly string[] {
  writeFileSync(join(folder, "attune.yaml"), `upstreams:\n${upstreams}`);
  return checkConfig({}, folder).lines.filter((line) => line.startsWith("upstream "));
}

describe("checkConfig()", () => {
  it("tells the profile of each upstream, and whether it is guessed", () => {
    const lines = check(`
  a: { kind: openai-chat, baseUrl: "https://api.deepseek.com" }
  b: { kind: openai-chat, baseUrl: "http://h/v1", apiKey: k, profile: mistral }
  c: { kind: openai-chat, baseUrl: "http://h/v1", profile: { base: vllm, n: 2 } }
  d: { kind: openai-responses, baseUrl: "http://h/v1", profile: { cacheKeys: true } }
  e: { kind: anthropic-messages, baseUrl: "https://api.anthropic.com" }
`);
    expect(lines).toEqual([
      "upstream sandbox: sandbox",
      "upstream a: openai-chat at https://api.deepseek.com, without a key, profile deepseek (guessed from baseUrl)",
      "upstream b: openai-chat at http://h/v1, with a key, profile mistral",
      "upstream c: openai-chat at http://h/v1, without a key, profile vllm",
      "upstream d: openai-responses at http://h/v1, without a key, profile unknown (guessed from baseUrl)",
      "upstream e: anthropic-messages at https://api.anthropic.com, without a key",
    ]);
  });
});
