import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentFormat, agentSession } from "../support/agent-session.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

const TURNS = 4;
const FORMATS: readonly AgentFormat[] = ["chat", "responses", "messages"];
const PATH: Readonly<Record<AgentFormat, string>> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};
const OFF = { "attune-optimize": "off" };

let upstream: ScriptedUpstream;
let service: TestService;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy((path) => wholeAnswer(path.endsWith("/responses") ? WHOLES.responses.text : WHOLES.chat.text));
  service = await startTestService({ yaml: yaml(upstream.url) });
});
beforeEach(() => {
  upstream.received.length = 0;
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

function yaml(url: string): string {
  const model = (name: string, at: string, more = ""): string => `
  - name: ${name}
    family: messages
    contextWindow: 1000000
    maxOutputTokens: 4096
    minCacheableTokens: 1024
    deployments: [ { upstream: ${at}, model: real } ]${more}`;
  const without = model("without", "chat", "\n    optimizations: { cacheKeys: false }");
  return `
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: k, profile: { cacheKeys: true } }
  responses: { kind: openai-responses, baseUrl: "${url}/v1", apiKey: k, profile: { cacheKeys: true } }
  compatible: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: k }
models:${model("chat", "chat")}${model("responses", "responses")}${model("compatible", "compatible")}${without}
`;
}

/** Plays a session; returns what the upstream received, and what callers were told of it. */
async function play(format: AgentFormat, model: string, headers: object = {}, members: object = {}) {
  const optimizations = new Set<string | null>();
  const first = upstream.received.length;
  for (const request of agentSession(format, TURNS)) {
    const response = await fetch(service.url + PATH[format], {
      method: "POST",
      headers: { ...service.headers, ...headers },
      body: JSON.stringify({ model: `attune/${model}`, ...request, ...members }),
    });
    expect(response.status).toBe(200);
    optimizations.add(response.headers.get("attune-optimizations"));
    await response.arrayBuffer();
  }
  const bodies = upstream.received.slice(first).map(({ body }) => JSON.parse(body));
  return { bodies, keys: [...new Set(bodies.map((body) => body.prompt_cache_key))], optimizations: [...optimizations] };
}

const withoutKey = ({ prompt_cache_key: _key, ...body }: Record<string, unknown>): string => JSON.stringify(body);

describe.each(FORMATS.flatMap((format) => ["chat", "responses"].map((model) => [format, model] as const)))(
  "an agent that speaks %s, served by %s",
  (format, model) => {
    it("has one key over its turns, and nothing else changed", async () => {
      const off = await play(format, model, OFF);
      expect(off).toMatchObject({ keys: [undefined], optimizations: ["none"] });
      const on = await play(format, model);
      expect(on.optimizations).toEqual(["cache-key"]);
      expect(on.keys).toEqual([expect.stringMatching(/^attune-[\w-]{22}$/)]);
      expect(on.bodies.map(withoutKey)).toEqual(off.bodies.map(withoutKey));
    });
  },
);

describe("a caller with a key of its own", () => {
  it.each(["mine", ""])("keeps it: %j", async (own) => {
    const { keys, optimizations } = await play("chat", "chat", {}, { prompt_cache_key: own });
    expect({ keys, optimizations }).toEqual({ keys: [own], optimizations: ["none"] });
  });
});

describe("no key is made up", () => {
  it.each(["compatible", "without"])("for the model '%s'", async (model) => {
    const { keys, optimizations } = await play("chat", model);
    expect({ keys, optimizations }).toEqual({ keys: [undefined], optimizations: ["none"] });
  });
});

describe("an inference whose prompt was given a key", () => {
  it("says so in its record, and does not repeat it to the caller", async () => {
    const [asked] = agentSession("responses", 1);
    const response = await fetch(service.url + PATH.responses, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify({ model: "attune/responses", ...asked }),
    });
    const answer = (await response.json()) as { readonly id: string; readonly prompt_cache_key: unknown };
    expect(answer.prompt_cache_key).toBeNull();
    const { row } = await readWhenWritten(service.store, answer.id.replace(/^resp_/, ""));
    expect(row.optimizations).toEqual(["cache-key"]);
  });
});
