import { type Answer, wholeAnswer } from "./scripted-upstream.ts";
import { FRAMES, type Scenario, UPSTREAM_KINDS, type UpstreamKind } from "./upstream-frames.ts";
import { WHOLES } from "./upstream-wholes.ts";

/**
 * Configures models whose answers are checked at the scripted upstream: `KIND-SETTING`, for each kind. More models may
 * follow.
 */
export function checkedModels(url: string, settings: readonly string[]): string {
  const models = UPSTREAM_KINDS.flatMap((kind) => settings.map((setting) => checkedModel(kind, setting)));
  return `
routing: { retryShare: 1 }
upstreams: ${upstreamsAt(url)}
models: ${models.join("")}`;
}

/** One such model of the list. */
export function checkedModel(kind: UpstreamKind, setting: string, name = `${kind}-${setting}`): string {
  return modelAt([kind], { name, candidates: 4, checkedRetry: setting });
}

/** The scripted upstream in each format, as entries of `upstreams`. More may follow. */
export function upstreamsAt(url: string): string {
  return `
  chat: { kind: openai-chat, baseUrl: "${url}/chat/v1" }
  responses: { kind: openai-responses, baseUrl: "${url}/responses/v1" }
  messages: { kind: anthropic-messages, baseUrl: "${url}/messages" }`;
}

interface ModelSettings {
  readonly name: string;
  /** Most answers that a request may ask for. */
  readonly candidates: number;
  readonly checkedRetry?: string;
}

/** A model that is served at some of the upstreams, as an entry of `models`. */
export function modelAt(upstreams: readonly string[], { name, candidates, checkedRetry = "off" }: ModelSettings) {
  return `
  - name: ${name}
    family: messages
    contextWindow: 200000
    maxOutputTokens: 4096
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    optimizations: { checkedRetry: ${checkedRetry} }
    candidates: { max: ${candidates} }
    deployments: [ ${upstreams.map((upstream) => `{ upstream: ${upstream}, model: real }`).join(", ")} ]`;
}

/** Answers a call of such a model with what `draw` says, after so many milliseconds if it is to take any. */
export function answerChecked(path: string, body: string, draw: () => Scenario, callMs = 0): Answer {
  const kind = UPSTREAM_KINDS.find((each) => path.startsWith(`/${each}`)) ?? "chat";
  const scenario = draw();
  const wait = callMs === 0 ? [] : [{ waitMs: callMs }];
  if ((JSON.parse(body) as { stream?: boolean }).stream) return { steps: [...wait, ...FRAMES[kind][scenario]] };
  const whole = wholeAnswer(WHOLES[kind][scenario]);
  return { ...whole, steps: [...wait, ...whole.steps] };
}

/** What asks a format for JSON of a schema. */
export const forSchema = (format: UpstreamKind, schema: object): object =>
  ({
    chat: { response_format: { type: "json_schema", json_schema: { name: "s", schema } } },
    responses: { text: { format: { type: "json_schema", name: "s", schema } } },
    messages: { output_config: { format: { type: "json_schema", schema } } },
  })[format];
