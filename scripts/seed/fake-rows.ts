import { create, toBinary } from "@bufbuild/protobuf";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../src/hub/input.ts";
import { encodeRequest } from "../../src/hub/request-bytes.ts";
import type { FeedbackEntryRow } from "../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../src/store/entities/inference.ts";
import { firstIdAt } from "../../src/store/types/period.ts";
import { fakeSavings } from "./fake-savings.ts";
import { ANSWERS, QUESTIONS } from "./fake-sentences.ts";
import type { Random } from "./random.ts";

/** The use of a key. */
interface Use {
  readonly keyId: string;
  readonly workload: string;
  readonly models: readonly (readonly [FakeModel, number])[];
}

interface FakeModel {
  readonly model: string;
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly inputNanos: number;
  readonly outputNanos: number;
  /** Median latency of an answer. */
  readonly latencyMs: number;
  /** The share of its answers that help, 0 to 1. */
  readonly quality: number;
}

const ASTRA: FakeModel = {
  model: "gpt-6-astra",
  upstream: "openai",
  upstreamModel: "gpt-6-astra",
  inputNanos: 2500,
  outputNanos: 10_000,
  latencyMs: 2400,
  quality: 0.86,
};
const MINI: FakeModel = {
  model: "gpt-6-mini",
  upstream: "openai",
  upstreamModel: "gpt-6-mini",
  inputNanos: 250,
  outputNanos: 2000,
  latencyMs: 900,
  quality: 0.78,
};
const SONNET: FakeModel = {
  model: "claude-sonnet-5-5",
  upstream: "anthropic",
  upstreamModel: "claude-sonnet-5-5",
  inputNanos: 3000,
  outputNanos: 15_000,
  latencyMs: 2800,
  quality: 0.88,
};
const HAIKU: FakeModel = {
  model: "claude-haiku-5-5",
  upstream: "anthropic",
  upstreamModel: "claude-haiku-5-5",
  inputNanos: 1000,
  outputNanos: 5000,
  latencyMs: 1100,
  quality: 0.8,
};

const USES: readonly (readonly [Use, number])[] = [
  [
    {
      keyId: "supportprod1",
      workload: "support",
      models: [
        [SONNET, 6],
        [HAIKU, 3],
        [ASTRA, 1],
      ],
    },
    30,
  ],
  [
    {
      keyId: "searchprod01",
      workload: "search-answers",
      models: [
        [MINI, 8],
        [HAIKU, 2],
      ],
    },
    25,
  ],
  [
    {
      keyId: "codereview01",
      workload: "code-review",
      models: [
        [ASTRA, 5],
        [SONNET, 5],
      ],
    },
    15,
  ],
  [
    {
      keyId: "batchnight01",
      workload: "classify-tickets",
      models: [
        [MINI, 9],
        [ASTRA, 1],
      ],
    },
    15,
  ],
  [{ keyId: "batchnight01", workload: "summarize", models: [[HAIKU, 1]] }, 8],
  [
    {
      keyId: "developers01",
      workload: "",
      models: [
        [ASTRA, 1],
        [SONNET, 1],
        [MINI, 1],
        [HAIKU, 1],
      ],
    },
    6,
  ],
  [
    {
      keyId: "evaluation01",
      workload: "evaluation",
      models: [
        [ASTRA, 1],
        [SONNET, 1],
      ],
    },
    1,
  ],
];

/** Notes of end users, each with its weight. */
const NOTES = [
  ["Solved it, thanks!", 4],
  ["Right answer, but far too long.", 3],
  ["The return window is 30 days, not 14.", 2],
  ["It didn't see that I had already sent the receipt.", 1],
] as const;

/** Part of the inferences that have feedback. */
const FEEDBACK_SHARE = 0.2;
const ID_RANDOM_DIGITS = 12;

/** Makes the row of one inference of a time. */
export function fakeInference(random: Random, projectId: string, timeMs: number): InferenceRow {
  const use = random.pick(USES);
  const served = random.pick(use.models);
  const status = random.pick([
    ["completed", 96.5],
    ["failed", 2.5],
    ["canceled", 1],
  ] as const);
  const streamed = random.next() < 0.7;
  const tokens = fakeTokens(random, status === "failed");
  const latencyMs = Math.round(random.logNormal(served.latencyMs, 0.6) * 100) / 100;
  const hasFirstToken = streamed && status !== "failed";
  return {
    id: fakeId(random, timeMs),
    projectId,
    keyId: use.keyId,
    dialect: served.upstream === "openai" ? "chat" : "messages",
    billing: null,
    costGaps: null,
    streamed,
    model: served.model,
    upstream: served.upstream,
    upstreamModel: served.upstreamModel,
    upstreamRequestId: `req_${Math.floor(timeMs)}`,
    workload: use.workload,
    status,
    startedAt: new Date(timeMs),
    servedModel: served.model,
    family: "",
    decision: null,
    latencyMs,
    timeToFirstTokenMs: hasFirstToken ? Math.round(latencyMs * (0.1 + random.next() * 0.3) * 100) / 100 : null,
    ...tokens,
    cacheWrite5mTokens: null,
    cacheWrite1hTokens: null,
    ...fakeSavings(random, costOf(served, tokens)),
    usageEstimated: false,
    cacheSavedNanos: cacheSavedOf(served, tokens),
    ...ending(random, status),
    deviation: "none",
    translationLosses: [],
    previousId: null,
    stored: false,
    coalescingKey: null,
    requestId: null,
    deletedAt: null,
    ...factsAt(Math.floor(timeMs / 1000)),
  };
}

const TEAMS = ["search", "support", "billing", "data", "docs"];

/** Session, end user and tags by the second of a call, so that random draws stay as they are without them. */
function factsAt(second: number) {
  const isOfSession = second % 3 !== 0;
  return {
    sessionId: isOfSession ? `session-${Math.floor(second / 600)}-${second % 7}` : null,
    sessionSource: isOfSession ? "x-session-id" : null,
    parentSessionId: null,
    endUserId: second % 4 === 0 ? null : `user-${second % 997}`,
    tags: second % 2 === 0 ? { team: TEAMS[second % TEAMS.length] ?? "", env: "prod" } : null,
  };
}

/** Makes the feedback of an inference: none for most of them. */
export function fakeFeedback(random: Random, inference: InferenceRow): FeedbackEntryRow[] {
  if (inference.status !== "completed" || random.next() >= FEEDBACK_SHARE) return [];
  const quality = [ASTRA, MINI, SONNET, HAIKU].find(({ model }) => model === inference.model)?.quality ?? 0.5;
  const timeMs = inference.startedAt.getTime() + random.logNormal(60_000, 1);
  const tags = {
    channel: random.pick([
      ["web", 6],
      ["app", 3],
      ["mail", 1],
    ] as const),
  };
  const entry = (changes: Partial<FeedbackEntryRow>): FeedbackEntryRow => ({
    id: fakeId(random, timeMs),
    inferenceId: inference.id,
    attempt: null,
    sessionId: null,
    rater: null,
    projectId: inference.projectId,
    keyId: inference.keyId,
    name: "helpful",
    kind: "boolean",
    booleanValue: null,
    floatValue: null,
    textValue: null,
    tags,
    optimize: "max",
    createdAt: new Date(timeMs),
    model: inference.model,
    workload: inference.workload,
    servedModel: inference.servedModel,
    ...changes,
  });
  const entries = [entry({ booleanValue: random.next() < quality })];
  if (random.next() < 0.3) {
    const score = Math.round(Math.min(1, Math.max(0, quality + (random.next() - 0.5) * 0.4)) * 100) / 100;
    entries.push(entry({ name: "quality.score", kind: "float", floatValue: score }));
  }
  if (random.next() < 0.05) {
    entries.push(entry({ name: "comment", kind: "note", textValue: random.pick(NOTES), optimize: null }));
  }
  return entries;
}

/** Makes what was asked, as it is stored: text of a size, which compresses as text does. */
export function fakeRequest(random: Random, bytes: number): Uint8Array {
  const message = { role: Role.USER, content: [fakeText(random, QUESTIONS, bytes)] };
  return encodeRequest(createHubInput({ messages: [message] }));
}

/** Makes what was answered, likewise. */
export function fakeResponse(random: Random, bytes: number): Uint8Array {
  const response = create(GenerateResponseSchema, { content: [fakeText(random, ANSWERS, bytes)] });
  return toBinary(GenerateResponseSchema, response);
}

/** Joins sentences at random until they have a size; # is a number below 1,000. */
function fakeText(random: Random, sentences: readonly string[], bytes: number) {
  let text = "";
  while (text.length < bytes) {
    const sentence = sentences[random.below(sentences.length)] ?? "";
    text += `${text === "" ? "" : " "}${sentence.replaceAll("#", () => String(random.below(1000)))}`;
  }
  return { kind: { case: "text" as const, value: { text } } };
}

function fakeId(random: Random, timeMs: number): string {
  const [digits, more] = [hex(random, ID_RANDOM_DIGITS), hex(random, 3)];
  return `${firstIdAt(timeMs).slice(0, 14)}7${more}-8${hex(random, 3)}-${digits}`;
}

function hex(random: Random, digits: number): string {
  return random
    .below(16 ** digits)
    .toString(16)
    .padStart(digits, "0");
}

function fakeTokens(random: Random, hasFailed: boolean) {
  const nothing = {
    inputTokens: null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    outputTokens: null,
    reasoningTokens: null,
  };
  if (hasFailed) return nothing;
  const all = Math.round(random.logNormal(1200, 0.9));
  const cacheReadTokens = random.next() < 0.4 ? Math.floor(all * random.next()) : 0;
  return {
    inputTokens: all - cacheReadTokens,
    cacheReadTokens,
    cacheWriteTokens: 0,
    outputTokens: Math.round(random.logNormal(250, 0.8)),
    reasoningTokens: 0,
  };
}

function costOf({ inputNanos, outputNanos }: FakeModel, tokens: ReturnType<typeof fakeTokens>): number | null {
  if (tokens.inputTokens === null || tokens.outputTokens === null) return null;
  const input = tokens.inputTokens + (tokens.cacheReadTokens ?? 0) / 10;
  return Math.round(input * inputNanos + tokens.outputTokens * outputNanos);
}

/** Returns the savings of cache reads, which are charged a tenth. */
function cacheSavedOf({ inputNanos }: FakeModel, { cacheReadTokens }: ReturnType<typeof fakeTokens>): number | null {
  return cacheReadTokens === null ? null : Math.round(cacheReadTokens * inputNanos * 0.9);
}

function ending(random: Random, status: string) {
  const noError = { errorReason: null, errorMessage: null, errorUpstreamStatus: null, errorUpstreamCode: null };
  if (status === "completed") return { finishReason: "stop", rawFinishReason: "stop", ...noError };
  if (status === "canceled") return { finishReason: null, rawFinishReason: null, ...noError };
  const [errorReason, errorUpstreamStatus] = random.pick([
    [["rate_limited", 429] as const, 5],
    [["overloaded", 529] as const, 3],
    [["upstream_timeout", null] as const, 2],
  ]);
  const errorMessage = "the upstream did not answer";
  return {
    finishReason: null,
    rawFinishReason: null,
    errorReason,
    errorMessage,
    errorUpstreamStatus,
    errorUpstreamCode: null,
  };
}
