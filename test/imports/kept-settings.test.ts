import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { importLitellm } from "../../src/imports/litellm/import-litellm.ts";
import { importTensorzero } from "../../src/imports/tensorzero/import-tensorzero.ts";

type Values = Readonly<Record<string, unknown>>;

/** Settings of an entry of LiteLLM, and where attune.yaml has them: a path into the model or its place. */
const PRICES: Readonly<Record<string, readonly (string | number)[]>> = {
  input_cost_per_token: ["price", "input"],
  output_cost_per_token: ["price", "output"],
  cache_read_input_token_cost: ["price", "cacheRead"],
  cache_creation_input_token_cost: ["price", "cacheWrite5m"],
  cache_creation_input_token_cost_above_1hr: ["price", "cacheWrite1h"],
  input_cost_per_token_above_200k_tokens: ["price", "longPrompt", "input"],
  output_cost_per_audio_token: ["price", "audioOutput"],
  output_cost_per_reasoning_token: ["price", "reasoning"],
  input_cost_per_token_flex: ["price", "tiers", "flex", "input"],
};

/** Settings that have no counterpart, each with a value. */
const WITHOUT: Values = {
  rpm: 5,
  tpm: 6,
  weight: 3,
  input_cost_per_second: 0.1,
  input_cost_per_token_balanced: 0.1,
  temperature: 1,
  extra_body: { a: 1 },
  tags: ["x"],
  tiered_thing: true,
  max_budget: 3,
  merge_reasoning_content_in_choices: true,
};

const entry = fc.record({
  prices: fc.dictionary(fc.constantFrom(...Object.keys(PRICES)), fc.integer({ min: 1, max: 9000 })),
  others: fc.subarray(Object.keys(WITHOUT)),
  info: fc.boolean(),
});

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((part: unknown, key) => (part as Record<string | number, unknown> | undefined)?.[key], value);
}

describe("settings of LiteLLM", () => {
  it("stand in the new file, or are named with their place", () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 3 }), (entries) => {
        const list = entries.map(({ prices, others, info }) => {
          const own = Object.fromEntries(Object.entries(prices).map(([name, micros]) => [name, micros / 1e9]));
          const rest = Object.fromEntries(others.map((name) => [name, WITHOUT[name]]));
          const params = { model: "openai/nobody-knows-it", api_key: "os.environ/K", ...rest, ...(info ? {} : own) };
          return { model_name: "m", litellm_params: params, model_info: info ? own : {} };
        });
        const { yaml, notes } = importLitellm(JSON.stringify({ model_list: list }));
        const [model] = (parse(yaml) as { readonly models: readonly Values[] }).models;
        const noted = notes.map(({ path }) => path);
        entries.forEach(({ prices, others, info }, at) => {
          const place = { ...(valueAt(model, ["deployments", at]) as Values) };
          const priced = { price: place["price"] ?? model?.["price"] };
          const hasInput = "input_cost_per_token" in prices;
          for (const [name, micros] of Object.entries(prices)) {
            const kept = priceAt(priced, PRICES[name] ?? []);
            const path = `model_list[${at}].${info ? "model_info" : "litellm_params"}.${name}`;
            if (hasInput) expect([name, kept]).toEqual([name, micros / 1000]);
            else expect(noted).toContain(path);
          }
          for (const name of others) expect(noted).toContain(`model_list[${at}].litellm_params.${name}`);
        });
      }),
      { numRuns: 200 },
    );
  });
});

/** A tier that is a multiple of all prices has no prices of its own. */
function priceAt(model: unknown, path: readonly (string | number)[]): unknown {
  const multiple = valueAt(model, ["price", "tiers", "flex", "multiple"]);
  const input = valueAt(model, ["price", "input"]);
  if (path[1] === "tiers" && typeof multiple === "number") return Math.round(multiple * Number(input) * 1000) / 1000;
  return valueAt(model, path);
}

const POINTERS: Readonly<Record<string, string>> = {
  "/usage/prompt_tokens": "input",
  "/usage/completion_tokens": "output",
  "/usage/cache_read_input_tokens": "cacheRead",
  "/usage/cache_creation_input_tokens": "cacheWrite5m",
  "/usage/cache_creation/ephemeral_1h_input_tokens": "cacheWrite1h",
  "/usageMetadata/thoughtsTokenCount": "reasoning",
  "/usage/something_else": "",
};

describe("costs of TensorZero", () => {
  it("stand in the new file, or are named with their place", () => {
    const rates = fc.dictionary(fc.constantFrom(...Object.keys(POINTERS)), fc.integer({ min: 1, max: 90 }), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(fc.array(rates, { minLength: 1, maxLength: 2 }), (providers) => {
        const sections = providers.map((costs, at) => {
          const cost = Object.entries(costs).map(
            ([pointer, usd]) => `{ pointer = "${pointer}", cost_per_million = ${usd}.0 }`,
          );
          return `[models.m.providers.p${at}]\ntype = "openai"\nmodel_name = "nobody-${at}"\ncost = [ ${cost.join(", ")} ]\n`;
        });
        const routing = providers.map((_, at) => `"p${at}"`).join(", ");
        const { yaml, notes } = importTensorzero(`[models.m]\nrouting = [${routing}]\n${sections.join("")}`);
        const [model] = (parse(yaml) as { readonly models: readonly Values[] }).models;
        providers.forEach((costs, at) => {
          const price = (valueAt(model, ["deployments", at, "price"]) ?? model?.["price"]) as Values | undefined;
          Object.entries(costs).forEach(([pointer, usd], index) => {
            const kind = POINTERS[pointer] ?? "";
            // A count for all lifetimes is added to those of one.
            const total = kind === "cacheWrite1h" ? (costs["/usage/cache_creation_input_tokens"] ?? 0) : 0;
            if (kind !== "") expect(price?.[kind]).toBe(usd + total);
            else expect(notes.map(({ path }) => path)).toContain(`models.m.providers.p${at}.cost[${index}]`);
          });
        });
      }),
      { numRuns: 100 },
    );
  });
});

/** Settings of a function and of a variant, which no attune.yaml has. */
const OF_FUNCTION = {
  output_schema: '"s.json"',
  tools: '["t"]',
  description: '"d"',
  experimentation: "{ type = 'x' }",
};
const OF_VARIANT = {
  weight: "0.5",
  temperature: "0.3",
  max_tokens: "5",
  json_mode: '"strict"',
  retries: "{ num_retries = 2 }",
  system_template: '"s.minijinja"',
  candidates: '["a"]',
  never_heard_of: "true",
};

describe("functions of TensorZero", () => {
  it("have each setting named with its place", () => {
    const names = <T extends object>(all: T) => fc.subarray(Object.keys(all) as (keyof T & string)[]);
    fc.assert(
      fc.property(names(OF_FUNCTION), names(OF_VARIANT), (own, ofVariant) => {
        const text = [
          "[functions.f]",
          'type = "chat"',
          ...own.map((name) => `${name} = ${OF_FUNCTION[name]}`),
          "[functions.f.variants.v]",
          'type = "chat_completion"',
          'model = "openai::nobody"',
          ...ofVariant.map((name) => `${name} = ${OF_VARIANT[name]}`),
        ];
        const noted = importTensorzero(text.join("\n")).notes.map(({ path }) => path);
        const places = [
          ...own.map((name) => `functions.f.${name}`),
          ...ofVariant.map((name) => `functions.f.variants.v.${name}`),
        ];
        expect(noted.sort()).toEqual(["functions.f", ...places].sort());
      }),
    );
  });
});
