import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { readWorkload } from "../../src/store/learning/workload-reads.ts";
import { askInFormat, idOf } from "../support/ask-in-format.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { answerOf } from "../support/sdk-fixture.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { chatFrames, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";
import { wholeSaying } from "../support/upstream-wholes.ts";
import { waitUntil } from "../support/wait.ts";

const MODES = ["off", "observe", "on"] as const;
type Mode = (typeof MODES)[number];
/** Calls of one service before its first feedback. */
const CALLS = 100;

let upstream: ScriptedUpstream;
let services: Record<Mode, TestService>;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy((_path, body) => {
    const { model } = JSON.parse(body) as { model: string };
    const whole = wholeAnswer(wholeSaying("chat", { text: model, calls: [] }), UPSTREAM_HEADERS);
    return { streamed: answerOf(chatFrames([{ content: model }], "stop")), whole };
  });
  const start = (mode: Mode) => startTestService({ yaml: yamlOf(upstream.url, mode) });
  services = { off: await start("off"), observe: await start("observe"), on: await start("on") };
});
afterAll(async () => {
  for (const service of Object.values(services)) await service.close();
  await upstream.close();
});

/** Others are believed to be far better than base, and several answers may be asked for unasked. */
function yamlOf(url: string, mode: Mode): string {
  const model = (name: string): string => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 4096
    price: { input: 3, output: 15 }
    candidates: { max: 2, learned: on, selectorTrials: 0.5 }
    deployments: [ { upstream: chat, model: real-${name} } ]`;
  return `
learning: { mode: ${mode}, priors: { other: 0.9 } }
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: "sk-upstream-chat-secret" }
models:${model("base")}${model("other")}
`;
}

/** Asks base; returns what was said of who answered, and who did. */
async function ask(service: TestService, at: number) {
  const headers = { "attune-workload": `kind-${at % 3}` };
  const asked = { format: "chat", model: "base", members: {}, stream: at % 2 === 1, headers } as const;
  const { body, text, deviation } = await askInFormat(service, asked);
  return { id: idOf(body), is: `${text} ${deviation}` };
}

async function say({ url, headers }: TestService, id: string): Promise<void> {
  const body = JSON.stringify([{ id, feedback: { good: true } }]);
  expect((await fetch(`${url}/v1/feedback`, { method: "POST", headers, body })).status).toBe(200);
}

describe("a workload over HTTP", () => {
  it.each(MODES)("is answered by base alone before its first feedback, with learning %s", async (mode) => {
    const seen = new Set<string>();
    for (let at = 0; at < CALLS; at++) seen.add((await ask(services[mode], at)).is);
    expect([...seen]).toEqual(["real-base none"]);
  });

  it.each(["observe", "on"] as const)("learns of feedback on its very first call, with learning %s", async (mode) => {
    const service = await startTestService({ yaml: yamlOf(upstream.url, mode) });
    onTestFinished(() => service.close());
    const { id } = await ask(service, 0);
    await say(service, id);
    const key = { projectId: DEFAULT_PROJECT.id, model: "base" };
    await waitUntil(async () => (await readWorkload(service.store, key))?.rewards === 1);
    const { family, decision } = (await readWhenWritten(service.store, id)).row;
    expect(family).toBe("tag:kind-0");
    expect(typeof decision === "string" ? JSON.parse(decision) : decision).toMatchObject({ mode, kept: "unread" });
  });

  it("may be answered by another model once there is feedback", async () => {
    const { id } = await ask(services.on, 0);
    await say(services.on, id);
    await waitUntil(async () => (await ask(services.on, 0)).is !== "real-base none");
  });
});
