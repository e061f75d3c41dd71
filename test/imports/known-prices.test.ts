import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { importLitellm } from "../../src/imports/litellm/import-litellm.ts";
import { importTensorzero } from "../../src/imports/tensorzero/import-tensorzero.ts";

interface Written {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly price?: Readonly<Record<string, unknown>>;
}

function models(yaml: string): readonly Written[] {
  return (parse(yaml) as { readonly models: readonly Written[] }).models;
}

function importOne(params: object, info: object = {}, map: unknown = {}) {
  const entry = { model_name: "m", litellm_params: { api_key: "os.environ/K", ...params }, model_info: info };
  const { yaml, notes } = importLitellm(JSON.stringify({ model_list: [entry] }), map);
  return { price: models(yaml)[0]?.price, notes: notes.map(({ path }) => path) };
}

describe("prices of LiteLLM beside those that lists know", () => {
  it.each([
    ["the prompt alone", { input_cost_per_token: 2e-6 }, { input: 2, output: 10, cacheRead: 1.25 }],
    ["the answer alone", { output_cost_per_token: 2e-6 }, { input: 2.5, output: 2, cacheRead: 1.25 }],
    ["what is cached alone", { cache_read_input_token_cost: 1e-6 }, { input: 2.5, output: 10, cacheRead: 1 }],
  ])("has %s, and the rest as it is known", (_name, own, expected) => {
    for (const [params, info] of [
      [own, {}],
      [{}, own],
    ]) {
      const { price, notes } = importOne({ model: "openai/gpt-4o", ...params }, info);
      expect(price).toMatchObject(expected);
      expect(notes).toEqual([]);
    }
  });

  it("has long prompts and tools of the list under a price of the file", () => {
    const { price } = importOne({ model: "gemini/gemini-2.5-pro", input_cost_per_token: 1e-6 });
    expect(price).toMatchObject({ input: 1, output: 10, longPrompt: { input: 2.5 }, toolCalls: { web_search: 0.035 } });
  });

  it("has the parts of a price that stand beside a map, and names none of them", () => {
    const map = { "gpt-4o": { input_cost_per_token: 3e-6, output_cost_per_token: 9e-6, litellm_provider: "openai" } };
    const own = { output_cost_per_token: 1e-6 };
    expect(importOne({ model: "gpt-4o" }, own, map)).toEqual({ price: { input: 3, output: 1 }, notes: [] });
  });

  it("knows a deployment by its base model, with and without a map", () => {
    const azure = { model: "azure/mine", api_base: "https://x.openai.azure.com" };
    for (const base_model of ["azure/gpt-4.1", "gpt-4.1"])
      expect(importOne(azure, { base_model }).price).toMatchObject({ input: 2, output: 8 });
  });

  it("knows Vertex AI's own models", () => {
    const place = { vertex_project: "p", vertex_location: "global" };
    expect(importOne({ model: "vertex_ai/gemini-2.5-pro", ...place }).price).toMatchObject({ input: 1.25, output: 10 });
  });

  it.each([
    ["dashscope/qwen-max", "DASHSCOPE_API_KEY"],
    ["zai/glm-4.6", "ZAI_API_KEY"],
    ["minimax/MiniMax-M2", "MINIMAX_API_KEY"],
  ])("has %s", (model, variable) => {
    const list = [{ model_name: "m", litellm_params: { model } }];
    const { yaml } = importLitellm(JSON.stringify({ model_list: list }));
    expect(yaml).toContain(`\${${variable}}`);
    expect(models(yaml)[0]?.price).toHaveProperty("input");
  });
});

describe("names of LiteLLM", () => {
  const list = ["a", "b", "GPT 4o (prod)"].map((name) => ({
    model_name: name,
    litellm_params: { model: "openai/gpt-4o", api_key: "os.environ/K" },
  }));

  it("are names that models may have", () => {
    const { yaml, notes } = importLitellm(JSON.stringify({ model_list: list }));
    expect(models(yaml).map(({ name }) => name)).toEqual(["a", "b", "GPT-4o-prod"]);
    expect(notes).toEqual([{ path: "model_list[2]", text: expect.stringContaining("'GPT-4o-prod'") as string }]);
  });

  it("give way to an alias, which LiteLLM asks first", () => {
    const model_group_alias = { b: "a", c: { model: "GPT 4o (prod)", hidden: true }, "d e": "a", f: "gone", a: "a" };
    const { yaml, notes } = importLitellm(JSON.stringify({ model_list: list, router_settings: { model_group_alias } }));
    expect(models(yaml).map(({ name, aliases }) => [name, aliases])).toEqual([
      ["a", ["b"]],
      ["GPT-4o-prod", ["c"]],
    ]);
    const at = "router_settings.model_group_alias";
    expect(notes.map(({ path }) => path)).toEqual([
      "model_list[2]",
      `${at}.d e`,
      `${at}.f`,
      `${at}.b`,
      `${at}.c.hidden`,
    ]);
  });
});

describe("prices of TensorZero", () => {
  const priced = (...cost: readonly (readonly [pointer: string, usd: number])[]) => {
    const list = cost.map(([pointer, usd]) => `{ pointer = "${pointer}", cost_per_million = ${usd.toFixed(6)} }`);
    const provider = `[models.m.providers.p]\ntype = "anthropic"\nmodel_name = "nobody"\ncost = [ ${list.join(", ")} ]`;
    const { yaml, notes } = importTensorzero(`[models.m]\nrouting = ["p"]\n${provider}\n`);
    expect(notes).toEqual([]);
    return models(yaml)[0]?.price;
  };

  it("adds a rate of one lifetime to that of all writes, which count it too", () => {
    const [all, hour] = ["/usage/cache_creation_input_tokens", "/usage/cache_creation/ephemeral_1h_input_tokens"];
    const five = "/usage/cache_creation/ephemeral_5m_input_tokens";
    expect(priced(["/usage/input_tokens", 3], [all, 3.75], [hour, 2.25])).toMatchObject({
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
    });
    expect(priced([hour, 6], [five, 3.75])).toMatchObject({ cacheWrite5m: 3.75, cacheWrite1h: 6 });
    expect(priced([all, 6], [five, -2.25])).toMatchObject({ cacheWrite5m: 3.75, cacheWrite1h: 6 });
  });

  it("reads the counts of Google and Bedrock", () => {
    const google = ["promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "cachedContentTokenCount"];
    const rates = [1.25, 10, 9, -1];
    expect(priced(...google.map((name, at) => [`/usageMetadata/${name}`, rates[at] ?? 0] as const))).toEqual({
      input: 1.25,
      output: 10,
      reasoning: 9,
      cacheRead: 0.25,
    });
    const bedrock = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"];
    expect(priced(...bedrock.map((name, at) => [`/usage/${name}`, at + 1] as const))).toEqual({
      input: 1,
      output: 2,
      cacheRead: 3,
      cacheWrite5m: 4,
    });
  });
});
