import { seal } from "../../src/inference/history/seal.ts";
import type { Store } from "../../src/store/types/store.ts";
import {
  type Answer,
  type AnswerAsAsked,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { TEST_SECRET, testSigner } from "../support/test-signer.ts";
import { type Inbound, type Topic, UPSTREAM_KINDS, UPSTREAM_MODEL, type UpstreamKind } from "./topic.ts";

const PATH: Record<Inbound, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

/** What a route did. Ids and times are replaced by the names that topics use for them. */
export interface Outcome {
  readonly status: number;
  readonly body: string;
  /** Undefined if the upstream was not called. */
  readonly upstreamReceives: string | undefined;
  /** Number of calls of the upstream. */
  readonly calls: number;
  /** Where it was called. */
  readonly upstreamPath: string | undefined;
  readonly losses: readonly string[];
  readonly headers: Headers;
  /** What the header attune-optimizations says. */
  readonly optimizations: string | null;
  /** Id of the inference, if the answer has one. */
  readonly id: string | undefined;
}

/** A service with one model for each kind of upstream, all of which one scripted server plays. */
export interface Harness {
  /** Asks what a topic asks; the upstream answers as it is asked. */
  run(topic: Topic, inbound: Inbound, kind: UpstreamKind, stream: boolean): Promise<Outcome>;
  /** Asks for anything; the upstream answers as told, each of its requests in turn. */
  ask(question: Question, ...answers: (Answer | AnswerAsAsked)[]): Promise<Outcome>;
  readonly store: Store;
  close(): Promise<void>;
}

/** A request on its way to an upstream. */
export interface Question {
  readonly inbound: Inbound;
  readonly kind: UpstreamKind;
  /** All but the model. */
  readonly request: object;
  /** Where it is asked; where the format asks for an answer if absent. */
  readonly path?: string;
  /** Headers besides those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Writes the body otherwise than it is written without it. */
  readonly spell?: (json: string) => string;
}

/**
 * Starts the service and the server. `upstreamMembers` are further members of each upstream's configuration, as YAML;
 * `deployments` says how many each model has, all of which the server plays.
 */
export async function startHarness(upstreamMembers = "", deployments = 1): Promise<Harness> {
  const upstream = await startScriptedUpstream();
  const service = await startTestService({
    yaml: yaml(upstream.url, upstreamMembers, deployments),
    signingSecret: TEST_SECRET,
  });
  const at = { upstream, service };
  return {
    store: service.store,
    ask: (question, ...answers) => ask(at, question, answers),
    run(topic, inbound, kind, stream) {
      const streamed = stream ? { ...topic.streamedRequests?.[inbound], stream } : {};
      const request = { ...topic.requests[inbound], ...streamed };
      const { streamed: frames, whole } = topic.upstreamAnswers[kind];
      return ask(at, { inbound, kind, request }, [{ streamed: { steps: [frames] }, whole: wholeAnswer(whole) }]);
    },
    async close() {
      await service.close();
      await upstream.close();
    },
  };
}

/** Every model is of the Messages family, which all three formats may use. */
function yaml(url: string, members: string, deployments: number): string {
  const base: Record<UpstreamKind, string> = {
    "openai-chat": `${url}/v1`,
    "openai-responses": `${url}/v1`,
    "anthropic-messages": url,
  };
  // What OpenAI's own servers take.
  const known: Record<UpstreamKind, string> = {
    "openai-chat": ", profile: { instructionRole: as-called, cacheBreakpoints: true }",
    "openai-responses": ", profile: { cacheBreakpoints: true }",
    "anthropic-messages": "",
  };
  const names = (kind: UpstreamKind) =>
    Array.from({ length: deployments }, (_none, index) => (index === 0 ? kind : `${kind}-${index + 1}`));
  const upstreams = UPSTREAM_KINDS.flatMap((kind) =>
    names(kind).map(
      (name) => `  ${name}: { kind: ${kind}, baseUrl: "${base[kind]}", apiKey: k${known[kind]}${members} }`,
    ),
  );
  const places = (kind: UpstreamKind) =>
    names(kind).map((name) => `{ upstream: ${name}, model: ${UPSTREAM_MODEL[kind]} }`);
  const models = UPSTREAM_KINDS.map(
    (kind) => `  - name: ${kind}
    family: messages
    purpose: conformance
    contextWindow: 200000
    maxOutputTokens: 4096
    minCacheableTokens: 1024
    optimizations: { choice: false }
    deployments: [ ${places(kind).join(", ")} ]`,
  );
  // As many failovers as a test wants: what limits them is not of the formats.
  return `routing: { failoverShare: 1 }\nupstreams:\n${upstreams.join("\n")}\nmodels:\n${models.join("\n")}\n`;
}

async function ask(
  { upstream, service }: { readonly upstream: ScriptedUpstream; readonly service: TestService },
  { inbound, kind, request, path = PATH[inbound], headers = {}, spell = (json) => json }: Question,
  answers: (Answer | AnswerAsAsked)[],
): Promise<Outcome> {
  const calls = upstream.received.length;
  upstream.answer(...answers);
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: spell(expandSeals(JSON.stringify({ model: `attune/${kind}`, ...request }), kind)),
  });
  const body = await response.text();
  const losses = response.headers.get("attune-translation-loss");
  return {
    status: response.status,
    body: normalise(hideEstimate(body, kind), response.headers.get("x-request-id") ?? ""),
    upstreamReceives: upstream.received[calls]?.body,
    upstreamPath: upstream.received[calls]?.path,
    calls: upstream.received.length - calls,
    headers: response.headers,
    losses: losses === null ? [] : losses.split(", "),
    optimizations: response.headers.get("attune-optimizations"),
    id: idOf(body),
  };
}

/** Writes out `<sealed:BLOB>` and `<redacted:BLOB>` for a route's upstream. */
export function expandSeals(text: string, kind: UpstreamKind): string {
  const origin = { upstream: kind, model: UPSTREAM_MODEL[kind] };
  return text
    .replace(/<sealed:([^>]*)>/g, (_all, blob: string) => seal(testSigner, origin, blob))
    .replace(/<redacted:([^>]*)>/g, (_all, blob: string) => seal(testSigner, origin, blob, "redacted"));
}

/**
 * Only upstreams of the Messages format count the prompt when they begin to answer. A prompt of nothing is no estimate.
 */
function hideEstimate(body: string, kind: UpstreamKind): string {
  if (kind === "anthropic-messages") return body;
  return body.replace(/^(data: {"type":"message_start",.*?"input_tokens":)[1-9]\d*/m, "$1<estimate>");
}

function idOf(body: string): string | undefined {
  return /"id":"([0-9a-f]{8}-[0-9a-f-]{27})"/.exec(body)?.[1];
}

function normalise(body: string, requestId: string): string {
  const id = idOf(body);
  const named = id === undefined ? body : body.replaceAll(id, "<id>").replaceAll(id.replaceAll("-", ""), "<hex>");
  const timed = named.replace(/"(created|created_at|completed_at)":\d{9,}/g, '"$1":<created>');
  return requestId === "" ? timed : timed.replaceAll(requestId, "<request>");
}
