import type { ServerName } from "../../catalog/server-facts.ts";
import { askServer, listOf, memberOf } from "./ask-server.ts";

/** A model that a server of this host has. */
export interface LocalModel {
  readonly name: string;
  /** Tokens that prompt and answer may have together; undefined if the server does not say. */
  readonly contextWindow: number | undefined;
  /** True if it thinks; undefined if the server does not say. */
  readonly thinks?: boolean | undefined;
}

/** A kind of server that runs models on this host. */
export interface ServerKind {
  readonly name: string;
  /** Name of its upstream. */
  readonly upstream: string;
  /** Name of what is known of it. */
  readonly profile: ServerName;
  /** The port that it has unless it is told otherwise. */
  readonly port: number;
  /** Reads its models; undefined if the server at `url` is of another kind. */
  readModels(url: string): Promise<readonly LocalModel[] | undefined>;
}

/** Most models of one server: each is a question to Ollama. */
const MOST_MODELS = 100;

/** The kinds that are looked for. */
export const SERVER_KINDS: readonly ServerKind[] = [
  // Source: docs.ollama.com/api, "List models" and "Show model details".
  {
    name: "Ollama",
    upstream: "ollama",
    profile: "ollama",
    port: 11_434,
    readModels: async (url) => {
      const tags = await askServer(`${url}/api/tags`);
      if (!Array.isArray(memberOf(tags, "models"))) return undefined;
      const names = listOf(tags, "models").map((model) => String(memberOf(model, "name")));
      const models = await Promise.all(names.slice(0, MOST_MODELS).map((model) => showOllama(url, model)));
      return models.filter((model) => model !== undefined);
    },
  },
  // Source: lmstudio.ai/docs/api/rest-api.
  {
    name: "LM Studio",
    upstream: "lm-studio",
    profile: "lm-studio",
    port: 1234,
    readModels: async (url) => {
      const answer = await askServer(`${url}/api/v0/models`);
      if (answer === undefined) return undefined;
      return listOf(answer, "data")
        .filter((model) => memberOf(model, "type") !== "embeddings")
        .map((model) =>
          toModel(model, memberOf(model, "loaded_context_length") ?? memberOf(model, "max_context_length")),
        );
    },
  },
  // Source: ggml-org/llama.cpp, tools/server/README.md, "GET /props".
  {
    name: "llama.cpp",
    upstream: "llama-cpp",
    profile: "llama.cpp",
    port: 8080,
    readModels: async (url) => {
      const props = await askServer(`${url}/props`);
      const window = memberOf(props, "default_generation_settings", "n_ctx");
      if (typeof window !== "number") return undefined;
      return listOf(await askServer(`${url}/v1/models`), "data").map((model) => toModel(model, window));
    },
  },
  { name: "vLLM", upstream: "vllm", profile: "vllm", port: 8000, readModels: (url) => readCards(url, "vllm") },
  {
    name: "SGLang",
    upstream: "sglang",
    profile: "sglang",
    port: 30_000,
    readModels: (url) => readCards(url, "sglang"),
  },
];

/** Reads a list of cards that say who serves them, and with which window: vLLM's ModelCard, which SGLang has too. */
async function readCards(url: string, owner: string): Promise<readonly LocalModel[] | undefined> {
  const cards = listOf(await askServer(`${url}/v1/models`), "data").filter(
    (card) => memberOf(card, "owned_by") === owner,
  );
  return cards.length === 0 ? undefined : cards.map((card) => toModel(card, memberOf(card, "max_model_len")));
}

/**
 * Reads a model of Ollama; undefined if it makes no text. The name of its trained window begins with the architecture;
 * longer prompts than `num_ctx`, where the model has one, are cut in silence.
 */
async function showOllama(url: string, name: string): Promise<LocalModel | undefined> {
  const shown = await askServer(`${url}/api/show`, { model: name });
  const capabilities = memberOf(shown, "capabilities");
  if (Array.isArray(capabilities) && !capabilities.includes("completion")) return undefined;
  const info = memberOf(shown, "model_info");
  const window = Object.entries(info ?? {}).find(([key]) => key.endsWith(".context_length"))?.[1];
  const served = /^num_ctx\s+(\d+)\s*$/m.exec(String(memberOf(shown, "parameters") ?? ""))?.[1];
  return {
    name,
    contextWindow: wholeNumber(served === undefined ? window : Number(served)),
    thinks: Array.isArray(capabilities) ? capabilities.includes("thinking") : undefined,
  };
}

function toModel(card: unknown, window: unknown): LocalModel {
  return { name: String(memberOf(card, "id")), contextWindow: wholeNumber(window) };
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}
