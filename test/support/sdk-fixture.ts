import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { type Answer, type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "./scripted-upstream.ts";
import { startTestService, type TestService, yamlFor } from "./service.ts";
import { TEST_SECRET } from "./test-signer.ts";
import { FRAMES, type Scenario, UPSTREAM_HEADERS, type UpstreamKind } from "./upstream-frames.ts";
import { WHOLES } from "./upstream-wholes.ts";

/** Model that each kind of upstream serves. */
export const MODEL: Record<UpstreamKind, string> = {
  chat: "attune/chatty",
  responses: "attune/responder",
  messages: "attune/messenger",
};

/** How a client calls. */
export interface ClientOptions {
  readonly apiKey?: string;
  readonly maxRetries?: number;
  readonly headers?: Record<string, string>;
  readonly fetch?: typeof fetch;
}

/** A running service between the official clients and a scripted upstream. */
export interface SdkFixture {
  readonly upstream: ScriptedUpstream;
  readonly service: TestService;
  openai(options?: ClientOptions): OpenAI;
  anthropic(options?: ClientOptions): Anthropic;
  /** The upstream answers the coming requests with these scenarios, whole or streamed as it is asked. */
  script(kind: UpstreamKind, ...scenarios: Scenario[]): void;
  /** Body of the request that the upstream received last. */
  lastBody(): Record<string, unknown>;
  close(): Promise<void>;
}

/** What may differ from fixture to fixture. */
export interface SdkFixtureOptions {
  /** Changes the text of the configuration. */
  readonly change?: (yaml: string) => string;
  readonly heartbeatMs?: number;
}

/** An answer that streams these frames, however it is asked for. */
export function answerOf(frames: readonly string[]): Answer {
  return { headers: UPSTREAM_HEADERS, steps: frames };
}

/** Starts a fixture. Every model is of the Messages family, so that every format can call each of them. */
export async function startSdkFixture({
  change = (yaml) => yaml,
  heartbeatMs,
}: SdkFixtureOptions = {}): Promise<SdkFixture> {
  const upstream = await startScriptedUpstream();
  const yaml = change(yamlFor(upstream.url).replaceAll(/family: \w+/g, "family: messages"));
  const service = await startTestService({
    yaml,
    signingSecret: TEST_SECRET,
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  });
  return {
    upstream,
    service,
    ...clientsOf(service),
    script: (kind, ...scenarios) =>
      upstream.answer(
        ...scenarios.map((scenario) => ({
          streamed: answerOf(FRAMES[kind][scenario]),
          whole: wholeAnswer(WHOLES[kind][scenario], UPSTREAM_HEADERS),
        })),
      ),
    lastBody: () => JSON.parse(upstream.received.at(-1)?.body ?? "null") as Record<string, unknown>,
    async close() {
      await service.close();
      await upstream.close();
    },
  };
}

/** Creates the official clients of a service. */
export function clientsOf({ url, key }: TestService): Pick<SdkFixture, "openai" | "anthropic"> {
  const common = ({ apiKey = key, maxRetries = 0, headers, fetch }: ClientOptions) => ({
    apiKey,
    maxRetries,
    ...(headers === undefined ? {} : { defaultHeaders: headers }),
    ...(fetch === undefined ? {} : { fetch }),
  });
  return {
    openai: (options = {}) => new OpenAI({ baseURL: `${url}/v1`, ...common(options) }),
    anthropic: (options = {}) => new Anthropic({ baseURL: url, ...common(options) }),
  };
}

/** A version 7 UUID, which every inference has. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Sends feedback on an inference; returns the error of its result, null if it was taken. */
export async function sendFeedback({ url, headers }: TestService, id: string): Promise<unknown> {
  const body = JSON.stringify([{ id, feedback: { helpful: true } }]);
  const response = await fetch(`${url}/v1/feedback`, { method: "POST", headers, body });
  const [result] = (await response.json()) as { error: unknown }[];
  return result?.error;
}
