import { BEGUN, FAULTS } from "../conformance/faults.ts";
import { FORMAT } from "../conformance/tool-request.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../conformance/topic.ts";
import { unknownMembers } from "../conformance/topics/unknown-members.ts";
import { type Answer, type AnswerAsAsked, type ScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { failure, type Said } from "../support/sdk-failures.ts";
import { FRAMES, type Scenario, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

type AnswerDispatch = (kind: UpstreamKind, body: string) => Answer | AnswerAsAsked;

const answers = (steps: Answer["steps"]): Answer => ({ headers: UPSTREAM_HEADERS, steps });

function says(scenario: Scenario): AnswerDispatch {
  return (kind) => ({
    streamed: answers(FRAMES[FORMAT[kind]][scenario]),
    whole: wholeAnswer(WHOLES[FORMAT[kind]][scenario], UPSTREAM_HEADERS),
  });
}

/** Answers with a status that is not 2xx, in the words of OpenAI or of Anthropic. */
function fails(openai: Said, anthropic: Said): AnswerDispatch {
  return (kind) => failure(FORMAT[kind], kind === "anthropic-messages" ? anthropic : openai);
}

/** Begins an answer, then fails in one of the ways of faults.ts. */
function breaks(name: string): AnswerDispatch {
  const fault = FAULTS.find((known) => known.name === name);
  if (fault === undefined) throw new Error(`no such fault: ${name}`);
  // A while apart, so that what came before the failure is read by itself.
  return (kind) => answers([BEGUN[kind], { waitMs: 30 }, ...fault.steps(kind)]);
}

/** What a conversation holds once the tools have answered, in each upstream's format. */
const RESULTS = /"role":"tool"|"type":"function_call_output"|"type":"tool_result"/;
const BUSY = "Too many at once";

/** What the models of the Python tests do, by the names that they have upstream. */
const ANSWERS: Readonly<Record<string, AnswerDispatch>> = {
  // What nobody knows comes natively as it is, and to callers of other formats as a comment of their stream.
  hello(kind) {
    const { streamed, whole } = unknownMembers.upstreamAnswers[kind];
    return { streamed: answers([streamed]), whole: wholeAnswer(whole, UPSTREAM_HEADERS) };
  },
  text: says("text"),
  tools: (kind, body) => says(RESULTS.test(body) ? "text" : "calls")(kind, body),
  json: says("json"),
  thinking: says("thinking"),
  length: says("length"),
  refusal: says("refusal"),
  busy: fails(
    { status: 429, type: "requests", code: "rate_limit_exceeded", message: BUSY },
    { status: 429, type: "rate_limit_error", message: BUSY },
  ),
  overloaded: fails(
    { status: 503, type: "service_unavailable_error", code: "server_is_overloaded", message: BUSY },
    { status: 529, type: "overloaded_error", message: BUSY },
  ),
  failing: fails(
    { status: 500, type: "server_error", message: "Out of sorts" },
    { status: 500, type: "api_error", message: "Out of sorts" },
  ),
  picky: fails(
    { status: 400, type: "invalid_request_error", code: "invalid_value", message: "Not like this" },
    { status: 400, type: "invalid_request_error", message: "Not like this" },
  ),
  dies: breaks("dies"),
  "ends-early": breaks("ends too early"),
  "fails-inside": breaks("says that it failed"),
  garbles: breaks("sends what is no JSON"),
};

function kindOf(path: string): UpstreamKind {
  if (path.startsWith("/v1/messages")) return "anthropic-messages";
  return path.startsWith("/v1/responses") ? "openai-responses" : "openai-chat";
}

/**
 * Lets an upstream answer by the model that it is asked for; `GET /received` tells how many asked so far, and the last
 * body.
 */
export function scriptModels(upstream: ScriptedUpstream): void {
  upstream.answerBy((path, body) => {
    const asked = upstream.received.filter((request) => request.path !== "/received");
    if (path === "/received") {
      const last = JSON.parse(asked.at(-1)?.body ?? "null") as unknown;
      const headers = { "content-type": "application/json" };
      return { headers, steps: [JSON.stringify({ count: asked.length, body: last })] };
    }
    const { model } = JSON.parse(body) as { readonly model: string };
    const answering = ANSWERS[model];
    return answering === undefined
      ? { status: 500, steps: [`no answer is scripted for ${model}`] }
      : answering(kindOf(path), body);
  });
}

/**
 * Text of a configuration: each model on each kind of upstream (`openai-chat-hello`), and one that the sandbox serves.
 * All are of the Messages family, which all three formats may use.
 */
export function modelsYaml(url: string): string {
  const base = (kind: UpstreamKind): string => (kind === "anthropic-messages" ? url : `${url}/v1`);
  const upstreams = UPSTREAM_KINDS.map((kind) => `  ${kind}: { kind: ${kind}, baseUrl: "${base(kind)}", apiKey: k }`);
  const model = (name: string, upstream: string, deployed: string): string => `  - name: ${name}
    family: messages
    purpose: Python SDKs
    contextWindow: 200000
    maxOutputTokens: 4096
    deployments: [ { upstream: ${upstream}, model: ${deployed} } ]`;
  const names = Object.keys(ANSWERS);
  const models = UPSTREAM_KINDS.flatMap((kind) => names.map((name) => model(`${kind}-${name}`, kind, name)));
  return `upstreams:\n${upstreams.join("\n")}\nmodels:\n${[...models, model("sandboxed", "sandbox", "real")].join("\n")}\n`;
}
