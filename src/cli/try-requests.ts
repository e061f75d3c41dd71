import { randomUUID } from "node:crypto";
import { Role, ToolChoiceMode } from "../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel, Deployment } from "../catalog/model.ts";
import { InferenceError } from "../hub/error.ts";
import { createHubInput, type HubInit } from "../hub/input.ts";
import type { Upstream, UpstreamCall, UpstreamTarget } from "../hub/upstream.ts";

/** Time for one request; a server may load its model first. */
const LIMIT_MS = 30_000;
/** Enough for models that think before they answer. */
const OUTPUT_TOKENS = 512;
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
  /** Returns the shortcoming of an answer; undefined if it has what was asked for. */
  readonly problem: (answer: Answer) => string | undefined;
}

interface Answer {
  readonly text: string;
  readonly calls: number;
  readonly vectors: number;
  readonly isCut: boolean;
  readonly tokens: number;
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

const TEXTS: readonly Kind[] = [
  { name: "text", isNeeded: true, init: OK, problem: hasText },
  { name: "stream", isNeeded: true, streamed: true, init: OK, problem: hasText },
  {
    name: "tool",
    init: asking("Look up the weather in Oslo.", {
      tools: [
        {
          kind: {
            case: "function",
            value: { name: "look_up", description: "Looks something up", parametersJson: JSON.stringify(SCHEMA) },
          },
        },
      ],
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
    if (kind.name === "text" && !finding.isWell) return tried;
  }
  return tried;
}

async function tryKind(
  { name, init, streamed = false, isNeeded = false, problem }: Kind,
  upstream: Upstream,
  { model, deployment }: Pick<UpstreamTarget, "model" | "deployment">,
): Promise<Tried> {
  const begun = performance.now();
  try {
    const maxOutputTokens = Math.min(OUTPUT_TOKENS, model.maxOutputTokens);
    const limit = model.embeddings === true ? {} : { maxOutputTokens };
    const input = createHubInput({ ...init, ...limit, model: model.name });
    const target = { model, deployment, streamed, inferenceId: randomUUID(), projectId: "check" };
    const call = upstream.prepare(input, target);
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
  let [text, calls, vectors, tokens, isCut] = ["", 0, 0, 0, false];
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
      tokens = (event.value.usage?.inputTokens ?? 0) + (event.value.usage?.outputTokens ?? 0);
    }
  }
  return { text, calls, vectors, tokens, isCut };
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
