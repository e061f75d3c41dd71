import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bannerLines } from "../../src/cli/serve/banner.ts";
import { loadConfig } from "../../src/config/load-config.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-banner-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const model = (name: string, more = "") =>
  `  - { name: ${name}, family: chat, purpose: p, contextWindow: 8000, maxOutputTokens: 100, ${more}price: { input: 1, output: 1 }, deployments: [ { upstream: box, model: m } ] }`;

/** Returns what is shown of a configuration of models. */
function bannerFor(models: readonly string[], more: readonly string[] = []): string {
  const lines = [...more, "upstreams: { box: { kind: sandbox } }", "models:", ...models];
  writeFileSync(join(folder, "attune.yaml"), lines.join("\n"));
  const config = loadConfig({}, folder);
  const facts = { config, url: "http://127.0.0.1:1", adminUrl: undefined, location: "memory", newKey: undefined };
  return bannerLines({ ...facts, needsOwner: true, setupSecret: "secret" }).join("\n");
}

/** Returns the call that is shown for models, in one line. */
function callFor(...models: string[]): string {
  return bannerFor(models).split("curl -sS ")[1] ?? "";
}

describe("bannerLines()", () => {
  it("shows a call of a model that answers, also where the first makes embeddings", () => {
    const shown = callFor(model("vectors", "embeddings: true, "), model("words"));
    expect(shown).toContain("http://127.0.0.1:1/v1/chat/completions");
    expect(shown).toContain('{"model": "attune/words", "messages": [{"role": "user", "content": "Hello"}]}');
  });

  it("shows a call for embeddings where no model answers", () => {
    const shown = callFor(model("vectors", "embeddings: true, "));
    expect(shown).toContain("http://127.0.0.1:1/v1/embeddings");
    expect(shown).toContain('{"model": "attune/vectors", "input": "Hello"}');
  });

  it("has the path of server.publicUrl in every address for people", () => {
    const shown = bannerFor([model("words")], ["server: { publicUrl: https://a.example/tools/ }"]);
    expect(shown.match(/https:\S+/g)).toEqual([
      ...["https://a.example/tools", "https://a.example/tools/dashboard"],
      ...["https://a.example/tools/dashboard/setup#token=secret", "https://a.example/tools/v1/chat/completions"],
      "https://a.example/tools/v1/feedback",
    ]);
  });
});
