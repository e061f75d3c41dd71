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

/** The warnings among lines. */
function warningsOf({ lines }: { readonly lines: readonly string[] }): readonly string[] {
  return lines.filter((line) => /is not served|has no key|leave \/v1 out|below \/v1|no provider|budgets/.test(line));
}

describe("checkConfig()", () => {
  it.each(["::", "::1"])("puts the address %s in brackets before its port", (host) => {
    writeFileSync(join(folder, "attune.yaml"), `server: { host: "${host}", port: 8099 }`);
    expect(checkConfig({}, folder).lines).toContain(`listens on [${host}]:8099`);
  });

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
      "upstream e: anthropic-messages at https://api.anthropic.com, without a key, profile anthropic (guessed from baseUrl)",
    ]);
  });

  it("serves no model from the sandbox beside a provider, unless the file names a sandbox", () => {
    const openai = '  a: { kind: openai-responses, baseUrl: "http://h/v1", apiKey: k }';
    writeFileSync(join(folder, "attune.yaml"), `upstreams:\n${openai}`);
    const alone = checkConfig({}, folder);
    const named = alone.config?.models.filter(({ listed }) => listed !== true);
    expect(named?.map(({ name }) => name)).toEqual(["gpt-6-astra"]);
    expect(warningsOf(alone).map((warning) => warning.split(":")[0])).toEqual(
      ["claude-fable-5-2", "claude-sonnet-5-5", "claude-haiku-5-5"].map((name) => `model attune/${name} is not served`),
    );
    expect(alone.lines.at(-1)).toMatch(/^model attune\/claude-haiku-5-5 is not served: no upstream of the kind/);
    writeFileSync(join(folder, "attune.yaml"), `upstreams:\n${openai}\n  tests: { kind: sandbox }`);
    const both = checkConfig({}, folder);
    expect(warningsOf(both)).toEqual([]);
    expect(both.config?.models.slice(0, 4).map(({ deployments }) => deployments[0]?.upstream)).toEqual([
      "a",
      "tests",
      "tests",
      "tests",
    ]);
  });

  it("warns of what is valid and cannot work as it is", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a reference of the configuration.
    const key = "${UPSTREAM_KEY}";
    const upstreams = `upstreams: { a: { kind: anthropic-messages, baseUrl: "http://h/v1", apiKey: "${key}" } }`;
    const model =
      "{ name: m, family: chat, contextWindow: 9, maxOutputTokens: 1, deployments: [{ upstream: a, model: m }] }";
    writeFileSync(
      join(folder, "attune.yaml"),
      `${upstreams}\nmodels: [${model}]\nquotas: { eachKey: { usdPerDay: 1 } }`,
    );
    expect(warningsOf(checkConfig({}, folder))).toEqual([
      "upstream a has no key: the variable UPSTREAM_KEY is not set",
      "upstream a would be called at http://h/v1/v1/messages: leave /v1 out of baseUrl",
      "budgets in USD (quotas.eachKey) refuse calls of models without a price: m",
    ]);
    rmSync(join(folder, "attune.yaml"));
    expect(warningsOf(checkConfig({}, folder))).toEqual([
      "no provider is configured: the sandbox generates test answers for attune/gpt-6-astra, attune/claude-fable-5-2, " +
        "attune/claude-sonnet-5-5, attune/claude-haiku-5-5",
    ]);
  });

  it.each([
    ["openai-responses", "https://api.openai.com", true],
    ["openai-chat", "http://127.0.0.1:11434/", true],
    ["openai-chat", "https://api.openai.com/v1", false],
    ["openai-chat", "https://api.deepseek.com", false],
    ["openai-chat", "http://127.0.0.1:8000", false],
  ])("warns of a baseUrl of %s at %s that lacks /v1: %s", (kind, baseUrl, isTold) => {
    const model =
      "{ name: m, family: chat, contextWindow: 9, maxOutputTokens: 1, price: { input: 1, output: 1 }, " +
      "deployments: [{ upstream: a, model: m }] }";
    writeFileSync(
      join(folder, "attune.yaml"),
      `upstreams: { a: { kind: ${kind}, baseUrl: "${baseUrl}", apiKey: k } }\nmodels: [${model}]`,
    );
    const told = isTold ? ["upstream a has its routes below /v1: end baseUrl with /v1"] : [];
    expect(warningsOf(checkConfig({}, folder))).toEqual(told);
  });

  it("refuses a judge that is not served", () => {
    const upstreams = 'upstreams: { a: { kind: openai-responses, baseUrl: "http://h/v1" } }';
    const judge = (name: string) => `${upstreams}\nlearning: { shadow: { share: 0.1, judge: ${name} } }`;
    writeFileSync(join(folder, "attune.yaml"), judge("claude-haiku-5-5"));
    expect(checkConfig({}, folder).lines[0]).toContain(
      "learning.shadow.judge is a model that is not served: no upstream",
    );
    writeFileSync(join(folder, "attune.yaml"), judge("gpt-6-astra"));
    expect(checkConfig({}, folder).config).toBeDefined();
  });

  it("calls a key missing whose variable is not set", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a reference of the configuration.
    const key = "${UPSTREAM_KEY}";
    expect(check(`  a: { kind: anthropic-messages, baseUrl: "http://h", apiKey: "${key}" }`)).toContain(
      "upstream a: anthropic-messages at http://h, its key is missing (UPSTREAM_KEY is not set), profile unknown (guessed from baseUrl)",
    );
  });

  it.each([
    ["/v1/chat/completions", "/chat/completions"],
    ["/v1/responses/", "/responses"],
    ["/v1/messages", "/v1/messages"],
    ["/api/v1/models", "/models"],
    ["/openai/chat/completions", "/chat/completions"],
  ])("refuses a base URL that ends in %s", (path, route) => {
    writeFileSync(join(folder, "attune.yaml"), `upstreams: { a: { kind: openai-chat, baseUrl: "http://h${path}" } }`);
    const { config, lines } = checkConfig({}, folder);
    expect(config).toBeUndefined();
    expect(lines[0]).toContain(
      `upstreams.a.baseUrl must end before the route: leave '${route}' out, which is added to it`,
    );
  });

  it.each([
    ["{ eachKey: { usdPerDay: 1 }, installation: { usdTotal: 9 } }", "quotas.installation, quotas.eachKey"],
    ["{ eachKey: { requestsPerMinute: 60 } }", undefined],
  ])("tells which models the budgets of %s refuse", (quotas, budgets) => {
    const model = "family: chat, contextWindow: 8192, maxOutputTokens: 1024";
    const text = `
upstreams: { a: { kind: openai-chat, baseUrl: "http://h/v1" } }
quotas: ${quotas}
models:
  - { name: free, ${model}, deployments: [{ upstream: a, model: m }] }
  - { name: priced, ${model}, price: { input: 1, output: 2 }, deployments: [{ upstream: a, model: m }] }
  - { name: there, ${model}, deployments: [{ upstream: a, model: m, price: { input: 1, output: 2 } }] }
  - { name: made-up, ${model}, deployments: [{ upstream: sandbox, model: m }] }
`;
    writeFileSync(join(folder, "attune.yaml"), text);
    const told = checkConfig({}, folder).lines.filter((line) => line.startsWith("budgets "));
    const expected = `budgets in USD (${budgets}) refuse calls of models without a price: free`;
    expect(told).toEqual(budgets === undefined ? [] : [expected]);
  });
});
