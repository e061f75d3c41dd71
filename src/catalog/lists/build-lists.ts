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

/** A model of genai-prices: its window, which LiteLLM does not have, and prices of tokens. */
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

/** The facts that a list beside LiteLLM's has of a model; prices in USD per million tokens. */
export type OtherFacts = Omit<GenaiModel, "provider" | "id">;

/** The facts of a line: LiteLLM's, and what each other list says by its name. */
export interface ListedModel extends ListedFacts {
  readonly others?: Readonly<Record<string, OtherFacts>>;
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

/** Providers that LiteLLM's map lacks models of, and of which genai-prices has models for texts alone. */
const LACKING: ReadonlySet<string> = new Set(["openrouter", "minimax", "moonshotai", "deepseek"]);

const MODES: ReadonlySet<unknown> = new Set(["chat", "responses", "embedding"]);

/** Builds the lines of the file of lists: a head with the sources, then each model, in the order of their keys. */
export function buildLists(
  litellm: Readonly<Record<string, LitellmEntry>>,
  genai: readonly GenaiModel[],
  sources: readonly ListSource[],
): string {
  const models = new Map<string, ListedModel>();
  for (const [key, entry] of Object.entries(litellm)) {
    const provider = PROVIDERS[String(entry["litellm_provider"])];
    if (provider === undefined || !MODES.has(entry["mode"])) continue;
    const name = key.startsWith(`${entry["litellm_provider"]}/`) ? key.slice(key.indexOf("/") + 1) : key;
    if (!isModelName(name) || /^ft:|^(?:[\w-]+\/)?\d+-month-commitment/.test(name)) continue;
    const listed = `${provider}/${name.replace(/^(?:vertex_ai|azure_ai|cohere|azure)\//, "")}`;
    const { facts } = readLitellmFacts(entry, name);
    // What has no facts of a model is none: the containers of a provider's tools stand beside its models.
    if (Object.keys(facts).length > 0) models.set(listed, facts);
  }
  for (const { provider, id, ...facts } of genai) {
    const key = `${GENAI[provider] ?? provider}/${id}`;
    const listed = models.get(key);
    if (listed === undefined && !(LACKING.has(provider) && isComplete(facts, id))) continue;
    models.set(key, { ...listed, others: { "genai-prices": facts } });
  }
  const lines = [...models].map(([key, facts]) => `${key}\t${JSON.stringify(facts)}`).sort(byBytes);
  return `${[`#\t${JSON.stringify({ sources })}`, ...lines].join("\n")}\n`;
}

/** Tells whether a model that LiteLLM does not have can be served by what another list says. */
function isComplete({ contextWindow, input, output }: OtherFacts, name: string): boolean {
  return contextWindow !== undefined && input !== undefined && output !== undefined && isModelName(name);
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
