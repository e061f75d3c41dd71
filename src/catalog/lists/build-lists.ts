import { isModelName } from "../model-name.ts";
import { type ListedFacts, readLitellmFacts } from "./litellm-facts.ts";
import type { LitellmEntry } from "./litellm-price.ts";

/** A list that models are taken from. */
export interface ListSource {
  readonly name: string;
  readonly version: string;
  /** The day on which it was taken. */
  readonly date: string;
}

/** A model of genai-prices: what is compared with LiteLLM, and the window, which LiteLLM does not have. */
export interface GenaiModel {
  readonly provider: string;
  readonly id: string;
  readonly name?: string | undefined;
  readonly contextWindow?: number | undefined;
  /** USD per million tokens; undefined where it depends on the time. */
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cacheRead?: number | undefined;
}

/** The facts that the lists have of a model at a provider. */
export interface ListedModel extends ListedFacts {
  readonly displayName?: string;
  /** Facts in which another list differs, by its name. */
  readonly disagree?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Providers by LiteLLM's names for them; those of others are left out: no upstream could be told apart. */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: "openai",
  anthropic: "anthropic",
  gemini: "gemini",
  xai: "xai",
  mistral: "mistral",
  deepseek: "deepseek",
  moonshot: "moonshot",
  groq: "groq",
  together_ai: "together",
  zai: "glm",
  fireworks_ai: "fireworks",
  openrouter: "openrouter",
  azure: "azure",
  perplexity: "perplexity",
  cerebras: "cerebras",
  deepinfra: "deepinfra",
  sambanova: "sambanova",
  dashscope: "dashscope",
  minimax: "minimax",
  cohere_chat: "cohere",
  cohere: "cohere",
  voyage: "voyage",
  meta: "meta",
  bedrock: "bedrock",
  bedrock_converse: "bedrock",
  "vertex_ai-anthropic_models": "vertex",
  "vertex_ai-language-models": "vertex",
  vertex_ai: "vertex",
  azure_ai: "azure",
};

/** Providers by genai-prices' names for them, where they differ. */
const GENAI: Readonly<Record<string, string>> = {
  google: "gemini",
  "x-ai": "xai",
  moonshotai: "moonshot",
  zai: "glm",
  aws: "bedrock",
  voyageai: "voyage",
};

const MODES: ReadonlySet<unknown> = new Set(["chat", "responses", "embedding"]);

/** Builds the lines of the file of lists: a head with the sources, then each model, in the order of their keys. */
export function buildLists(
  litellm: Readonly<Record<string, LitellmEntry>>,
  genai: readonly GenaiModel[],
  sources: readonly ListSource[],
): string {
  const others = new Map(genai.map((model) => [`${GENAI[model.provider] ?? model.provider}/${model.id}`, model]));
  const models = new Map<string, ListedModel>();
  for (const [key, entry] of Object.entries(litellm)) {
    const provider = PROVIDERS[String(entry["litellm_provider"])];
    if (provider === undefined || !MODES.has(entry["mode"])) continue;
    const name = key.startsWith(`${entry["litellm_provider"]}/`) ? key.slice(key.indexOf("/") + 1) : key;
    if (!isModelName(name) || /^ft:|^(?:[\w-]+\/)?\d+-month-commitment/.test(name)) continue;
    const listed = `${provider}/${name.replace(/^(?:vertex_ai|azure_ai|cohere|azure)\//, "")}`;
    const facts = compare(readLitellmFacts(entry, name).facts, others.get(listed));
    // What has no facts of a model is none: the containers of a provider's tools stand beside its models.
    if (Object.keys(facts).length > 0) models.set(listed, facts);
  }
  const lines = [...models].map(([key, facts]) => `${key}\t${JSON.stringify(facts)}`).sort(byBytes);
  return `${[`#\t${JSON.stringify({ sources })}`, ...lines].join("\n")}\n`;
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A window that another list has is the window, and what is smaller the longest prompt. */
function compare(facts: ListedFacts, other: GenaiModel | undefined): ListedModel {
  if (other === undefined) return facts;
  const { contextWindow: prompt, price } = facts;
  const { contextWindow: window = 0, name } = other;
  const isLarger = prompt !== undefined && window > prompt;
  const told = { input: price?.input, output: price?.output, cacheRead: price?.cacheRead };
  const differing = Object.entries(told).flatMap(([member, value]) => {
    const said = other[member as keyof typeof told];
    return value === undefined || said === undefined || Math.abs(said - value) < 1e-9 ? [] : [[member, said]];
  });
  return {
    ...facts,
    ...(isLarger && { contextWindow: window, maxInputTokens: prompt }),
    ...(prompt === undefined && window > 0 && { contextWindow: window }),
    ...(name !== undefined && { displayName: name }),
    ...(differing.length > 0 && { disagree: { "genai-prices": Object.fromEntries(differing) } }),
  };
}
