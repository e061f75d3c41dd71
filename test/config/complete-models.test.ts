import { describe, expect, it } from "vitest";
import { ModelLists } from "../../src/catalog/lists/model-lists.ts";
import { UNKNOWN_TOKENS } from "../../src/catalog/model.ts";
import { isModelName } from "../../src/catalog/model-name.ts";
import { listWarnings } from "../../src/config/list-warnings.ts";
import { load as loadText, useFolder } from "./harness.ts";

const UPSTREAMS = `upstreams:
  r: { kind: openai-responses, baseUrl: "http://127.0.0.1:1/v1", apiKey: k }
  a: { kind: anthropic-messages, baseUrl: "http://127.0.0.1:1", apiKey: k }
  g: { kind: openai-chat, baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai", apiKey: k }
`;

useFolder();

describe("models that lists know", () => {
  const load = (models: string) => loadText(`${UPSTREAMS}models: ${models}\n`);

  it("need an upstream and nothing else", () => {
    const { models } = load("[gpt-5.5, claude-opus-4-6, gemini-2.5-pro]");
    expect(models.map(({ name, family, deployments }) => [name, family, deployments])).toEqual([
      ["gpt-5.5", "responses", [{ upstream: "r", model: "gpt-5.5" }]],
      ["claude-opus-4-6", "messages", [{ upstream: "a", model: "claude-opus-4-6" }]],
      ["gemini-2.5-pro", "chat", [{ upstream: "g", model: "gemini-2.5-pro" }]],
    ]);
    expect(models[0]).toMatchObject({
      contextWindow: 1_050_000,
      maxOutputTokens: 128_000,
      price: { input: 5_000_000 },
    });
  });

  it("keep what the file says of them", () => {
    const [model] = load("[{ name: mine, maxOutputTokens: 9, deployments: [{ upstream: r, model: gpt-5.5 }] }]").models;
    expect(model).toMatchObject({ name: "mine", maxOutputTokens: 9, price: { input: 5_000_000 } });
  });

  it("are served without a price where nobody knows them", () => {
    const [model] = load("[{ name: nobody, deployments: [{ upstream: r, model: x }] }]").models;
    expect(model).toMatchObject({ name: "nobody", family: "responses", price: undefined });
    const unknown = { contextWindow: UNKNOWN_TOKENS, maxOutputTokens: UNKNOWN_TOKENS };
    expect(model).toMatchObject(unknown);
    const [told] = load("[{ name: n, family: chat, purpose: p, deployments: [{ upstream: r, model: x }] }]").models;
    expect(told).toMatchObject({ family: "chat", purpose: "p", ...unknown });
  });

  it("are served at their price, and warned of, where a list says that they are retired", () => {
    const config = load("[o4-mini, gpt-5.5, { name: o3-mini, retiresAt: 2999-01-01 }]");
    expect(config.models.map(({ price }) => price?.input)).toEqual([1_100_000, 5_000_000, 1_100_000]);
    expect(listWarnings(config).filter((warning) => warning.includes("retirement"))).toEqual([
      "model attune/o4-mini was scheduled for retirement by its provider on 2026-10-23",
    ]);
  });

  it("have no price of their maker where their operator runs them", () => {
    const { models } =
      loadText(`upstreams: { v: { kind: openai-chat, baseUrl: "http://127.0.0.1:8000/v1", profile: { base: vllm } } }
models:
  - { name: oss, family: chat, deployments: [{ upstream: v, model: openai/gpt-oss-120b }] }
  - { name: deepseek-chat, deployments: [{ upstream: v, model: deepseek-chat }] }
  - { name: tiny, family: chat, thinking: none, aliases: [little], deployments: [{ upstream: v, model: tiny }] }
`);
    expect(models.map(({ contextWindow, price, retiresAt }) => [contextWindow, price, retiresAt])).toEqual([
      [131_072, undefined, undefined],
      [131_072, undefined, undefined],
      [1_000_000_000, undefined, undefined],
    ]);
    expect(models[2]).toMatchObject({ thinking: "none", aliases: ["little"] });
  });

  it.each([
    ["openrouter", "https://openrouter.ai/api/v1"],
    ["together", "https://api.together.xyz/v1"],
    ["fireworks", "https://api.fireworks.ai/inference/v1"],
    ["gemini", "https://generativelanguage.googleapis.com/v1beta/openai"],
  ])("are served by their name alone, all of %s", (provider, baseUrl) => {
    const names = [...ModelLists.read().list(provider)].map(({ name }) => name);
    const { models } = loadText(`upstreams: { u: { kind: openai-chat, baseUrl: ${JSON.stringify(baseUrl)}, apiKey: k } }
models: ${JSON.stringify(names.filter(isModelName))}
`);
    expect(names.length).toBeGreaterThan(30);
    const limits = models.filter(({ maxOutputTokens }) => maxOutputTokens !== UNKNOWN_TOKENS);
    expect(limits.filter(({ maxOutputTokens, contextWindow }) => maxOutputTokens > contextWindow)).toEqual([]);
    expect(models.every(({ deployments }) => deployments[0]?.upstream === "u")).toBe(true);
  });

  it("give no longer answers than the window that the file makes smaller", () => {
    const [model] = load("[{ name: gpt-5.5, contextWindow: 4096 }]").models;
    expect(model).toMatchObject({ contextWindow: 4096, maxOutputTokens: 4096 });
  });

  it("have their price under every spelling of an upstream's own name", () => {
    const places = [
      "a, model: claude-sonnet-5-5-20260928",
      "a, model: claude-sonnet-4-5@20250929",
      "g, model: models/gemini-2.5-pro",
    ];
    const written = places.map((place, at) => `{ name: n${at}, deployments: [{ upstream: ${place} }] }`);
    expect(load(`[${written.join(", ")}]`).models.map(({ price }) => [price?.input, price?.output])).toEqual([
      [2_000_000, 10_000_000],
      [3_000_000, 15_000_000],
      [1_250_000, 10_000_000],
    ]);
  });

  it("have the price of their own day, and of their region", () => {
    const text = `upstreams:
  o: { kind: openai-chat, baseUrl: "https://openrouter.ai/api/v1", apiKey: k }
  b: { kind: bedrock-converse, baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com", apiKey: k }
models:
  - { name: old, deployments: [{ upstream: o, model: openai/gpt-4o-2024-05-13 }] }
  - { name: profile, deployments: [{ upstream: b, model: "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0" }] }
  - { name: tuned, deployments: [{ upstream: o, model: "ft:gpt-4o-2024-08-06:org::abc" }] }
`;
    expect(loadText(text).models.map(({ price }) => price?.input)).toEqual([5_000_000, 3_300_000, undefined]);
  });

  it("are a mistake where no upstream can be told", () => {
    expect(() => load("[nobody-knows]")).toThrow("no list says which of r, a, g serves 'nobody-knows'");
  });
});

describe("a start with keys in the environment alone", () => {
  it("serves what the lists have of each provider, and no model in another one's place", () => {
    const { models } = loadText("", { OPENAI_API_KEY: "k", DEEPSEEK_API_KEY: "d" });
    const find = (name: string) => models.find((model) => model.name === name);
    expect(find("gpt-5.5")).toMatchObject({ listed: true, deployments: [{ upstream: "openai", model: "gpt-5.5" }] });
    expect(find("gpt-6-astra")?.listed).toBeUndefined();
    // Lists say that these are retired.
    for (const name of ["o4-mini", "o3-mini", "gpt-5-codex", "deepseek-chat", "deepseek-reasoner"]) {
      expect([name, (find(name)?.price?.input ?? 0) > 0]).toEqual([name, true]);
    }
    expect(models.some(({ deployments }) => deployments.some(({ upstream }) => upstream === "deepseek"))).toBe(true);
  });
});
