import type { ServerName } from "../../catalog/server-facts.ts";

/** The time limit of a question: a server of this host answers at once. */
const LIMIT_MS = 1000;

/** Most bytes of an answer that is read. */
const MOST_BYTES = 4 * 2 ** 20;

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
  /** Ports where it usually is: the one that it has unless it is told otherwise comes first. */
  readonly ports: readonly number[];
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
    ports: [11_434],
    readModels: async (url) => {
      const tags = await askServer(`${url}/api/tags`);
      if (!Array.isArray(getMember(tags, "models"))) return undefined;
      const names = getList(tags, "models").map((model) => String(getMember(model, "name")));
      const loaded = getList(await askServer(`${url}/api/ps`), "models");
      const models = await Promise.all(names.slice(0, MOST_MODELS).map((model) => showOllama(url, model, loaded)));
      return models.filter((model) => model !== undefined);
    },
  },
  // Source: lmstudio.ai/docs/api/rest-api.
  {
    name: "LM Studio",
    upstream: "lm-studio",
    profile: "lm-studio",
    ports: [1234],
    readModels: async (url) => {
      const answer = await askServer(`${url}/api/v0/models`);
      if (answer === undefined) return undefined;
      return getList(answer, "data")
        .filter((model) => getMember(model, "type") !== "embeddings")
        .map((model) =>
          toModel(model, getMember(model, "loaded_context_length") ?? getMember(model, "max_context_length")),
        );
    },
  },
  // Source: ggml-org/llama.cpp, tools/server/README.md, "GET /props".
  {
    name: "llama.cpp",
    upstream: "llama-cpp",
    profile: "llama.cpp",
    ports: [8080, 8000],
    readModels: async (url) => {
      const props = await askServer(`${url}/props`);
      const window = getMember(props, "default_generation_settings", "n_ctx");
      const cards = getList(await askServer(`${url}/v1/models`), "data");
      // One that asks for a key tells its props to nobody else, and one that has several models has none of its own.
      const isKnown = typeof window === "number" || cards.some((card) => getMember(card, "owned_by") === "llamacpp");
      if (!isKnown) return undefined;
      return cards.filter(isGenerative).map((card) => toModel(card, getMember(card, "meta", "n_ctx") || window));
    },
  },
  {
    name: "vLLM",
    upstream: "vllm",
    profile: "vllm",
    ports: [8000, 8080, 8001],
    readModels: (url) => readCards(url, "vllm"),
  },
  {
    name: "SGLang",
    upstream: "sglang",
    profile: "sglang",
    ports: [30_000, 8000],
    readModels: (url) => readCards(url, "sglang"),
  },
  // Source: huggingface.github.io/text-generation-inference, "GET /info".
  {
    name: "Text Generation Inference",
    upstream: "tgi",
    profile: "tgi",
    ports: [8080, 3000, 8000],
    readModels: async (url) => {
      const info = await askServer(`${url}/info`);
      const name = getMember(info, "model_id");
      if (typeof name !== "string" || getMember(info, "max_total_tokens") === undefined) return undefined;
      return [{ name, contextWindow: wholeNumber(getMember(info, "max_total_tokens")) }];
    },
  },
];

/** Reads a list of cards that say who serves them, and with which window: vLLM's ModelCard, which SGLang has too. */
async function readCards(url: string, owner: string): Promise<readonly LocalModel[] | undefined> {
  const cards = getList(await askServer(`${url}/v1/models`), "data").filter(
    (card) => getMember(card, "owned_by") === owner,
  );
  if (cards.length === 0) return undefined;
  // An adapter has the window of the model that it belongs to.
  const windows = new Map(cards.map((card) => [getMember(card, "id"), getMember(card, "max_model_len")]));
  return cards.map((card) => toModel(card, getMember(card, "max_model_len") ?? windows.get(getMember(card, "parent"))));
}

/**
 * Reads a model of Ollama; undefined if it makes no text. Longer prompts than the window that it is `loaded` with, or
 * else the `num_ctx` that it was made with, are cut in silence; the name of its trained window begins with the
 * architecture.
 */
async function showOllama(url: string, name: string, loaded: readonly unknown[]): Promise<LocalModel | undefined> {
  const shown = await askServer(`${url}/api/show`, { model: name });
  const capabilities = getMember(shown, "capabilities");
  if (Array.isArray(capabilities) && !capabilities.includes("completion")) return undefined;
  const info = getMember(shown, "model_info");
  const window = Object.entries(info ?? {}).find(([key]) => key.endsWith(".context_length"))?.[1];
  const made = /^num_ctx\s+(\d+)\s*$/m.exec(String(getMember(shown, "parameters") ?? ""))?.[1];
  const running = loaded.find((model) => getMember(model, "name") === name);
  return {
    name,
    contextWindow:
      wholeNumber(getMember(running, "context_length")) ?? wholeNumber(made === undefined ? window : Number(made)),
    thinks: Array.isArray(capabilities) ? capabilities.includes("thinking") : undefined,
  };
}

/** llama.cpp tells what a model can do where it has several, or one that makes embeddings. */
function isGenerative(card: unknown): boolean {
  const capabilities = getList(card, "capabilities");
  return capabilities.length === 0 || capabilities.includes("completion");
}

function toModel(card: unknown, window: unknown): LocalModel {
  return { name: String(getMember(card, "id")), contextWindow: wholeNumber(window) };
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Asks a server for JSON; undefined if nothing, or something else, answers. With `body` it is a POST. */
async function askServer(url: string, body?: object): Promise<unknown> {
  try {
    const response = await fetch(url, {
      redirect: "error",
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body !== undefined && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const text = await readBounded(response);
    return response.ok ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Error("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Reads a member of an answer by its path; undefined if there is none. */
function getMember(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const step of path) found = typeof found === "object" && found !== null ? Reflect.get(found, step) : undefined;
  return found;
}

/** Reads a list of an answer; an empty one if there is none. */
function getList(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = getMember(value, ...path);
  return Array.isArray(list) ? list : [];
}
