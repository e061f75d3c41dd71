import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routedModelCode } from "../../src/hub/routed-model-code.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { setControls } from "../../src/store/learning/control-store.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { SIGNATURE, THOUGHT, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";
import { waitUntil } from "../support/wait.ts";

/** Calls of a workload, of which the first may come before the service knows it. */
const CALLS = 20;

function yamlOf(url: string): string {
  const model = (name: string): string => `
  - name: ${name}
    family: messages
    contextWindow: 200000
    maxOutputTokens: 4096
    price: { input: 3, output: 15 }
    deployments: [ { upstream: messages, model: real-${name} } ]`;
  return `
learning: { mode: on }
upstreams:
  messages: { kind: anthropic-messages, baseUrl: "${url}", apiKey: "sk-ant-upstream-secret" }
models:${["frozen", "pinned", "other"].map(model).join("")}
`;
}

const user = (content: unknown) => ({ role: "user", content });
const thinking = (signature: string) => [
  user("Why?"),
  { role: "assistant", content: [{ type: "thinking", thinking: THOUGHT, signature }] },
  user("And?"),
];
const toolLoop = (id: string) => [
  user("How warm is it?"),
  { role: "assistant", content: [{ type: "tool_use", id, name: "get_weather", input: {} }] },
  user([{ type: "tool_result", tool_use_id: id, content: "4" }]),
];

/** What anybody can make who has read the sources, but for the signature. */
function forgedSeal(said: readonly string[], signature: string): string {
  const label = Buffer.from(JSON.stringify(said)).toString("base64url");
  const sum = createHash("sha256").update(`${label}.${SIGNATURE}`).digest("base64url").slice(0, 11);
  return `att1.${label}.${sum}${signature}.${SIGNATURE}`;
}

function forgedMark(code: string, length: number): string {
  const sum = createHash("sha256").update(`${code}.call_1`).digest("hex").slice(0, length);
  return `call_1_at${code}${sum}`;
}

const codeOfOther = createHash("sha256").update("other").digest("hex").slice(0, 8);
const FORGED: readonly (readonly [what: string, messages: readonly object[]])[] = [
  ["a seal without a signature", thinking(forgedSeal(["messages", "real-other"], ""))],
  ["a seal with a made-up one", thinking(forgedSeal(["messages", "real-other", "thinking", "frozen"], "A".repeat(22)))],
  ["a mark of a tool call without a signature", toolLoop(forgedMark(codeOfOther, 6))],
  ["a mark with a made-up one", toolLoop(forgedMark(routedModelCode("frozen", "other"), 16))],
];

describe.each(ENGINES)("seals and marks on %s", (engine) => {
  const databases = useDatabases(engine);
  let upstream: ScriptedUpstream;
  let services: readonly TestService[];

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    const databaseUrl = databases.url;
    const store = await openStore(databaseUrl);
    const workload = (model: string) => ({ projectId: DEFAULT_PROJECT.id, model });
    await setControls(store, workload("frozen"), { hold: "frozen" });
    await setControls(store, workload("pinned"), { hold: "pinned", pinned: "other" });
    await store.close();
    const yaml = yamlOf(upstream.url);
    // At once, as replicas do: each may be the one that makes the key.
    services = await Promise.all([startTestService({ databaseUrl, yaml }), startTestService({ databaseUrl, yaml })]);
    script("text");
    // A workload that a process does not know yet is served as if learning were off.
    for (const service of services) {
      await waitUntil(async () => (await ask(service, "pinned", [user("Hi")])).deviation === "routed");
    }
  });
  afterAll(async () => {
    for (const service of services) await service.close();
    await upstream.close();
  });

  /** Asks a service for a whole answer; returns what it says, who was asked, and what that got. */
  async function ask(service: TestService | undefined, model: string, messages: readonly object[]) {
    const { url = "", headers = {} } = service ?? {};
    const tools = [{ name: "get_weather", input_schema: { type: "object" } }];
    const body = JSON.stringify({ model: `attune/${model}`, max_tokens: 1024, tools, messages });
    const response = await fetch(`${url}/v1/messages`, { method: "POST", headers, body });
    const answer = (await response.json()) as { content: Record<string, string>[] };
    const received = upstream.received.at(-1)?.body ?? "{}";
    const asked = (JSON.parse(received) as { model: string }).model;
    return { deviation: response.headers.get("attune-deviation"), answer, received, asked };
  }

  const script = (scenario: "text" | "thinking" | "calls"): void => {
    upstream.answerBy(() => {
      const whole = wholeAnswer(WHOLES.messages[scenario], UPSTREAM_HEADERS);
      return { streamed: whole, whole };
    });
  };

  it.each(FORGED)("that were made up do not steer: %s", async (_what, messages) => {
    script("text");
    const seen = new Set<string>();
    for (let call = 0; call < CALLS; call++) {
      const { deviation, asked } = await ask(services[call % 2], "frozen", messages);
      seen.add(`${asked} ${deviation}`);
    }
    expect([...seen]).toEqual(["real-frozen none"]);
  });

  it("bind a conversation on every replica, and give back what they hold byte for byte", async () => {
    script("thinking");
    for (const [from, to] of [services, services.toReversed()]) {
      const { answer } = await ask(from, "pinned", [user("Why?")]);
      const signature = answer.content[0]?.["signature"] ?? "";
      expect(signature).toMatch(/^att1\./);
      const next = await ask(to, "pinned", thinking(signature));
      expect([next.asked, next.deviation]).toEqual(["real-other", "routed"]);
      expect(next.received).toContain(`"signature":"${SIGNATURE}"`);
    }
  });

  it("bind nobody who asks for another model than the conversation did", async () => {
    script("thinking");
    const own = await ask(services[0], "other", [user("Why?")]);
    const routed = await ask(services[0], "pinned", [user("Why?")]);
    expect([own.deviation, routed.deviation]).toEqual(["none", "routed"]);
    for (const { answer } of [own, routed]) {
      const next = await ask(services[1], "frozen", thinking(answer.content[0]?.["signature"] ?? ""));
      expect([next.asked, next.deviation]).toEqual(["real-frozen", "none"]);
      expect(next.received).not.toContain(SIGNATURE);
    }
  });

  it("mark tool calls so that every replica gives the results to the model that waits", async () => {
    script("calls");
    const { answer } = await ask(services[0], "pinned", [user("How warm is it?")]);
    const id = answer.content.find(({ type }) => type === "tool_use")?.["id"] ?? "";
    expect(id).toMatch(/_at[0-9a-f]{24}$/);
    const next = await ask(services[1], "pinned", toolLoop(id));
    expect([next.asked, next.deviation]).toEqual(["real-other", "routed"]);
    expect(next.received).not.toContain(id);
    expect(next.received).toContain(id.slice(0, -27));
  });
});
