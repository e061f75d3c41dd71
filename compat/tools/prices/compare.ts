/**
 * Compares our costs of 400 calls of 60 models with what genai-prices' and LiteLLM's own functions say. By hand, outside
 * CI. Usage: node compat/tools/prices/compare.ts PYTHON, a Python that has litellm 1.110.2 and genai-prices 0.2.3.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { BUILT_IN_MODELS } from "../../../src/catalog/built-in.ts";
import { callCost } from "../../../src/catalog/cost.ts";
import { ModelLists } from "../../../src/catalog/lists/model-lists.ts";
import { buildPrice, type WrittenPrice } from "../../../src/catalog/written-price.ts";

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const PROVIDERS = ["openai", "anthropic", "gemini", "xai", "deepseek", "mistral", "moonshot"];
const MODELS = 60;
const CALLS = 400;

interface Call {
  readonly provider: string;
  readonly model: string;
  readonly prompt: number;
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly output: number;
  readonly reasoning: number;
  readonly searches: number;
  readonly tier: string;
}

const PLAIN = { prompt: 1000, read: 0, written5m: 0, written1h: 0, output: 500, reasoning: 0, searches: 0, tier: "" };

/** The kinds of calls; of each model as many as its price has. */
const KINDS: readonly (readonly [kind: string, call: Partial<typeof PLAIN>, has: (price: WrittenPrice) => boolean])[] =
  [
    ["plain", {}, () => true],
    ["cached", { prompt: 9000, read: 8000 }, (price) => price.cacheRead !== undefined],
    ["written", { prompt: 9000, written5m: 8000 }, (price) => price.cacheWrite5m !== undefined],
    ["written for an hour", { prompt: 9000, written1h: 8000 }, (price) => price.cacheWrite1h !== undefined],
    ["reasoning", { reasoning: 400 }, () => true],
    ["long", { prompt: 300_000 }, () => true],
    ["long and cached", { prompt: 300_000, read: 250_000 }, (price) => price.cacheRead !== undefined],
    ["priority", { tier: "priority" }, (price) => price.tiers?.["priority"] !== undefined],
    ["flex", { tier: "flex" }, (price) => price.tiers?.["flex"] !== undefined],
    ["long and written", { prompt: 300_000, written5m: 250_000 }, (price) => price.cacheWrite5m !== undefined],
    ["all of it", { prompt: 9000, read: 8000, reasoning: 400 }, (price) => price.cacheRead !== undefined],
  ];

/** Tools that Anthropic runs are told by its counts, which both lists read. */
const SEARCHES: readonly [kind: string, call: Partial<typeof PLAIN>] = ["searches", { searches: 3 }];
const EMBEDDINGS: readonly [kind: string, call: Partial<typeof PLAIN>] = ["embeddings", { output: 0 }];

/** Models that make embeddings, of each provider of the lists that has some. */
function embeddingModels() {
  const lists = ModelLists.read();
  return [...PROVIDERS, "voyage", "cohere"].flatMap((provider) =>
    [...lists.list(provider)].flatMap(({ name, facts: { embeddings, price } }) =>
      embeddings === true && price !== undefined && price.input > 0 ? [{ provider, model: name, price }] : [],
    ),
  );
}

function pricedModels() {
  const lists = ModelLists.read();
  const built = new Map(BUILT_IN_MODELS.map((model) => [model.name, model.price]));
  const all = PROVIDERS.map((provider) =>
    [...lists.list(provider)].flatMap(({ name, facts }) => {
      const price = built.get(name) ?? facts.price;
      const isChat = facts.embeddings !== true && !/audio|realtime|image|search|live|tts|deep-research/.test(name);
      return price !== undefined && price.input > 0 && isChat ? [{ provider, model: name, price }] : [];
    }),
  );
  // In turn, the newest names first, so that no provider takes all places.
  const turns = Array.from({ length: MODELS }, (_, turn) => all.flatMap((models) => models.toReversed()[turn] ?? []));
  return turns.flat().slice(0, MODELS);
}

const calls: { readonly kind: string; readonly call: Call; readonly price: WrittenPrice }[] = [];
for (const [kind, changes, has] of KINDS) {
  for (const { price, ...names } of pricedModels()) {
    if (has(price)) calls.push({ kind, price, call: { ...names, ...PLAIN, ...changes } });
  }
}
for (const { price, ...names } of pricedModels().filter(({ provider }) => provider === "anthropic"))
  if (price.toolCalls?.["web_search"] !== undefined)
    calls.push({ kind: SEARCHES[0], price, call: { ...names, ...PLAIN, ...SEARCHES[1] } });
for (const { price, ...names } of embeddingModels())
  calls.push({ kind: EMBEDDINGS[0], price, call: { ...names, ...PLAIN, ...EMBEDDINGS[1] } });
const compared = calls.slice(0, CALLS);
const python = process.argv[2] ?? "python3";
const input = JSON.stringify(compared.map(({ call }) => call));
const output = execFileSync(python, [join(import.meta.dirname, "lists.py")], { input, maxBuffer: 2 ** 26 });
const said = JSON.parse(output.toString()) as { readonly genai: number | string; readonly litellm: number | string }[];

const counts = new Map<string, { calls: number; both: number; genai: number; litellm: number }>();
const rows: string[] = [];
for (const [at, { kind, call, price }] of compared.entries()) {
  const usage = create(UsageSchema, {
    inputTokens: call.prompt - call.read - call.written5m - call.written1h,
    cacheReadTokens: call.read,
    cacheWriteTokens: call.written5m + call.written1h,
    cacheWrite1hTokens: call.written1h,
    outputTokens: call.output,
    reasoningTokens: call.reasoning,
    ...(call.tier + call.searches !== "0" && {
      billing: { serviceTier: call.tier, ...(call.searches > 0 && { toolCalls: { web_search: call.searches } }) },
    }),
  });
  const { nanos, gaps } = callCost(buildPrice(price), usage, new Date());
  const { genai, litellm } = said[at] ?? { genai: "", litellm: "" };
  const agrees = (value: number | string) => typeof value === "number" && Math.abs(value * 1e9 - nanos) < 1.5;
  const count = counts.get(kind) ?? { calls: 0, both: 0, genai: 0, litellm: 0 };
  counts.set(kind, count);
  count.calls += 1;
  if (agrees(genai)) count.genai += 1;
  if (agrees(litellm)) count.litellm += 1;
  if (agrees(genai) && agrees(litellm)) count.both += 1;
  else rows.push([kind, `${call.provider}/${call.model}`, nanos / 1e9, genai, litellm, gaps.join(", ")].join(" | "));
}
print("kind | calls | as both | as genai-prices | as LiteLLM");
for (const [kind, { calls: all, both, genai, litellm }] of counts) print([kind, all, both, genai, litellm].join(" | "));
print(`\nkind | model | Attune | genai-prices | LiteLLM | gaps\n${rows.join("\n")}`);
