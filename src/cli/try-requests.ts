import { randomUUID } from "node:crypto";
import { ReasoningEffort, Role, ToolChoiceMode } from "../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel, Deployment } from "../catalog/model.ts";
import { InferenceError } from "../hub/error.ts";
import { createHubInput, type HubInit } from "../hub/input.ts";
import type { Upstream, UpstreamCall, UpstreamTarget } from "../hub/upstream.ts";

/** Time for one request; a server may load its model first. */
const LIMIT_MS = 30_000;
/** Enough for models that think before they answer. */
const OUTPUT_TOKENS = 512;
/** The least that OpenAI takes as a limit. */
const FEW_TOKENS = 16;
/** Most characters of a server's own words. */
const WORDS = 200;

/** The finding of one small request. */
export interface Tried {
  readonly text: string;
  /** False if plain texts fail, which every call needs; what a model may not know is told alone. */
  readonly isWell: boolean;
}

interface Kind {
  readonly name: string;
  readonly streamed?: boolean;
  /** True if no model can be used where it fails. */
  readonly isNeeded?: boolean;
  readonly init: HubInit;
  /** The output limit, where it is another one. */
  readonly limit?: number;
  /** Returns the shortcoming of an answer; undefined if it has what was asked for. */
  readonly problem: (answer: Answer) => string | undefined;
}

interface Answer {
  readonly text: string;
  readonly calls: number;
  readonly vectors: number;
  readonly isCut: boolean;
  readonly tokens: number;
  readonly outputTokens: number;
}

function asking(text: string, more: HubInit = {}): HubInit {
  return Object.assign(
    { messages: [{ role: Role.USER, content: [{ kind: { case: "text", value: { text } } }] }] },
    more,
  );
}

const OK = asking("Reply with the word ok.");
const SCHEMA = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
};

const hasText = ({ text, isCut }: Answer): string | undefined =>
  text.trim() !== "" ? undefined : isCut ? `has no text within ${OUTPUT_TOKENS} tokens` : "has no text";

const LOOK_UP = {
  kind: {
    case: "function" as const,
    value: { name: "look_up", description: "Looks something up", parametersJson: JSON.stringify(SCHEMA) },
  },
};
const WEATHER = { kind: { case: "text" as const, value: { text: "What is the weather in Oslo?" } } };
const HISTORY: HubInit["messages"] = [
  { role: Role.USER, content: [WEATHER] },
  {
    role: Role.ASSISTANT,
    content: [{ kind: { case: "toolUse", value: { id: "call_1", name: "look_up", arguments: '{"word":"Oslo"}' } } }],
  },
  {
    role: Role.TOOL,
    content: [
      {
        kind: {
          case: "toolResult",
          value: { toolUseId: "call_1", content: [{ kind: { case: "text", value: { text: "4 degrees" } } }] },
        },
      },
    ],
  },
];

const TEXT: Kind = { name: "text", isNeeded: true, init: OK, problem: hasText };

const TEXTS: readonly Kind[] = [
  TEXT,
  { name: "stream", isNeeded: true, streamed: true, init: OK, problem: hasText },
  {
    name: "tool",
    init: asking("Look up the weather in Oslo.", {
      tools: [LOOK_UP],
      toolChoice: { mode: ToolChoiceMode.REQUIRED },
    }),
    problem: ({ calls }) => (calls > 0 ? undefined : "calls no tool"),
  },
  {
    name: "schema",
    init: asking("Give me one word, as JSON with the member 'word'.", {
      outputFormat: {
        kind: { case: "jsonSchema", value: { name: "word", schemaJson: JSON.stringify(SCHEMA), strict: true } },
      },
    }),
    problem: ({ text }) => (isObject(text) ? undefined : "answers without the JSON that was asked for"),
  },
  { name: "tool result", init: { messages: HISTORY, tools: [LOOK_UP] }, problem: hasText },
  {
    name: "limit",
    init: asking("Count from 1 to 100."),
    limit: FEW_TOKENS,
    problem: ({ isCut, outputTokens }) => {
      if (isCut || (outputTokens > 0 && outputTokens < FEW_TOKENS)) return undefined;
      return outputTokens > FEW_TOKENS ? `goes on beyond ${FEW_TOKENS} tokens` : "does not say that it was cut there";
    },
  },
  {
    name: "stop sequence",
    init: asking("Write the numbers from 1 to 9.", { stopSequences: ["5"] }),
    problem: ({ text }) => (text.includes("5") ? "goes on behind it" : undefined),
  },
  {
    name: "effort",
    init: asking("Reply with the word ok.", { reasoning: { effort: ReasoningEffort.LOW } }),
    problem: hasText,
  },
];

const EMBEDDING: Kind = {
  name: "embedding",
  isNeeded: true,
  init: {
    embedding: {},
    messages: [{ role: Role.USER, content: [{ kind: { case: "text", value: { text: "ok" } } }] }],
  },
  problem: ({ vectors }) => (vectors === 1 ? undefined : "has no vector"),
};

/**
 * Sends an upstream one small request of each kind that its model is said to take, one after another, and tells what
 * came of each. Sends nothing else where the first fails.
 */
export async function tryRequests(
  upstream: Upstream,
  model: CatalogModel,
  deployment: Deployment,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  for (const kind of model.embeddings === true ? [EMBEDDING] : TEXTS) {
    const finding = await tryKind(kind, upstream, { model, deployment });
    tried.push(finding);
    if (kind === TEXT && !finding.isWell) return tried;
  }
  if (model.embeddings !== true) tried.push(...(await tryCount(upstream, { model, deployment })));
  return tried;
}

/** Sends an upstream the one request that says whether its model is there. */
export async function tryNeeded(
  upstream: Upstream,
  model: CatalogModel,
  deployment: Deployment,
): Promise<readonly Tried[]> {
  return [await tryKind(model.embeddings === true ? EMBEDDING : TEXT, upstream, { model, deployment })];
}

type ServedModel = Pick<UpstreamTarget, "model" | "deployment">;

/** Has the tokens of a prompt counted by an upstream that is said to count. */
async function tryCount(upstream: Upstream, { model, deployment }: ServedModel): Promise<Tried[]> {
  try {
    const input = createHubInput({ ...OK, model: model.name });
    const call = upstream.prepareCount?.(input, targetFor({ model, deployment }, false));
    if (call === undefined) return [];
    const { inputTokens } = await call.send(AbortSignal.timeout(LIMIT_MS));
    return [{ text: `token count: ${inputTokens} tokens`, isWell: true }];
  } catch (thrown) {
    return [{ text: `token count: fails: ${describe(thrown)}`, isWell: true }];
  }
}

function targetFor({ model, deployment }: ServedModel, streamed: boolean): UpstreamTarget {
  return { model, deployment, streamed, inferenceId: randomUUID(), projectId: "check" };
}

async function tryKind(
  { name, init, limit: most = OUTPUT_TOKENS, streamed = false, isNeeded = false, problem }: Kind,
  upstream: Upstream,
  { model, deployment }: ServedModel,
): Promise<Tried> {
  const begun = performance.now();
  try {
    const maxOutputTokens = Math.min(most, model.maxOutputTokens);
    const limit = model.embeddings === true ? {} : { maxOutputTokens };
    const input = createHubInput({ ...init, ...limit, model: model.name });
    const call = upstream.prepare(input, targetFor({ model, deployment }, streamed));
    if (call.losses.length > 0)
      return { text: `${name}: is not sent (it loses ${call.losses.join(", ")})`, isWell: true };
    const answer = await send(call);
    const found = problem(answer);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const tokensText = answer.tokens > 0 ? `, ${answer.tokens} tokens` : ", and tells no tokens";
    return found === undefined
      ? { text: `${name}: answers in ${seconds} s${tokensText}`, isWell: true }
      : { text: `${name}: ${found}`, isWell: !isNeeded };
  } catch (thrown) {
    return { text: `${name}: fails: ${describe(thrown)}`, isWell: !isNeeded };
  }
}

async function send(call: UpstreamCall): Promise<Answer> {
  const events: GenerateEvent[] = [];
  await call.send((batch) => void events.push(...batch), AbortSignal.timeout(LIMIT_MS));
  let [text, calls, vectors, tokens, outputTokens, isCut] = ["", 0, 0, 0, 0, false];
  for (const { event } of events) {
    if (event.case === "blockStart") {
      const kind = event.value.block?.kind;
      if (kind?.case === "text") text += kind.value.text;
      if (kind?.case === "toolUse") calls += 1;
    }
    if (event.case === "blockDelta" && event.value.delta.case === "text") text += event.value.delta.value;
    if (event.case === "finished") {
      vectors = event.value.embeddings.length;
      isCut = event.value.reason === FinishReason.LENGTH;
      outputTokens = event.value.usage?.outputTokens ?? 0;
      tokens = (event.value.usage?.inputTokens ?? 0) + outputTokens;
    }
  }
  return { text, calls, vectors, tokens, outputTokens, isCut };
}

/** Messages of upstreams have no secrets of ours; of what a server says no more than its beginning is told. */
function describe(thrown: unknown): string {
  if (!(thrown instanceof InferenceError)) return thrown instanceof Error ? thrown.message : "an error";
  const { upstreamStatus } = thrown.facts;
  const status = upstreamStatus === undefined ? "" : `status ${upstreamStatus}, `;
  const words = thrown.message.length > WORDS ? `${thrown.message.slice(0, WORDS)}...` : thrown.message;
  return `${status}${words}`;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "word" in value;
  } catch {
    return false;
  }
}
