import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { writeSettings } from "../../src/store/settings/write-settings.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import {
  type Answer,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { FRAMES, TEXT } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

let upstream: ScriptedUpstream;
let service: TestService;
/** What the places do, by their names. */
let acts: Record<string, "answers" | "waits" | "fails" | "takes a while"> = {};

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy((path, body) => act(placeOf(path), body));
  service = await startTestService({ yaml: yaml(upstream.url) });
});
beforeEach(() => {
  acts = {};
  upstream.received.length = 0;
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

function placeOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function act(place: string, body: string): Answer {
  if (acts[place] === "fails") return { status: 503, ...wholeAnswer(JSON.stringify({ error: { message: "full" } })) };
  const { stream } = JSON.parse(body) as { stream?: boolean };
  const whole = wholeAnswer(WHOLES.chat.text);
  // Longer than all calls of a test take to arrive, and far longer than what makes one place slower than the other by
  // chance.
  if (acts[place] === "takes a while") return { ...whole, steps: [{ waitMs: 500 }, ...whole.steps] };
  if (stream !== true) return whole;
  return acts[place] === "waits" ? { steps: [], hang: true } : { steps: FRAMES.chat.text };
}

const ask = async (model: string, members: object = {}, headers: object = {}) => {
  const body = { model: `attune/${model}`, messages: [{ role: "user", content: "x" }], ...members };
  const response = await fetch(`${service.url}/v1/chat/completions`, {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const of = (name: string) => response.headers.get(`attune-${name}`);
  return { status: response.status, text, by: of("served-by"), optimizations: of("optimizations") };
};
const asked = (): string[] => upstream.received.map(({ path }) => placeOf(path));

describe("attune-optimize: off", () => {
  it("asks the first deployment and no other", async () => {
    acts = { one: "fails" };
    expect(await ask("plain", {}, { "attune-optimize": "off" })).toMatchObject({ status: 503 });
    expect(asked()).toEqual(["one"]);
    expect(await ask("plain", {}, { "attune-optimize": "on" })).toMatchObject({ by: "two", optimizations: "failover" });
  });
});

describe("a project that has switched failover off", () => {
  it("has the first deployment asked and no other, soon after", async () => {
    acts = { one: "fails" };
    expect(await ask("plain")).toMatchObject({ by: "two" });
    const untilStatus = (status: number) => expect.poll(async () => (await ask("plain")).status).toBe(status);
    await writeSettings(service.store, DEFAULT_PROJECT.id, { optimizationsOff: ["failover"] });
    await untilStatus(503);
    await writeSettings(service.store, DEFAULT_PROJECT.id, { optimizationsOff: [] });
    await untilStatus(200);
  });
});

describe("prompts that begin alike", () => {
  it("go to one deployment, whatever else is asked there", async () => {
    const conversation = (turns: number) => ({
      messages: [
        { role: "system", content: "You are a careful assistant. ".repeat(50) },
        ...Array.from({ length: turns }, (_, turn) => ({
          role: turn % 2 === 0 ? "user" : "assistant",
          content: `${turn}`,
        })),
      ],
    });
    for (let turn = 0; turn < 6; turn++) await ask("kept", conversation(2 * turn + 1));
    expect(new Set(asked()).size).toBe(1);
  });
});

describe("short prompts", () => {
  it("are spread over deployments that are equally fast", async () => {
    acts = { one: "takes a while", two: "takes a while" };
    await Promise.all(Array.from({ length: 40 }, () => ask("spread")));
    const counts = ["one", "two"].map((place) => asked().filter((each) => each === place).length);
    for (const count of counts) expect(count).toBeGreaterThan(4);
  });
});

describe("a stream that is slow to begin", () => {
  it("is asked for at a second deployment, whose first words win; both are recorded", async () => {
    for (let call = 0; call < 50; call++) await ask("hedged", { stream: true });
    upstream.received.length = 0;
    acts = { one: "waits" };
    const hedged = await ask("hedged", { stream: true });
    expect(hedged).toMatchObject({ status: 200, by: "two", optimizations: "hedge" });
    const text = hedged.text
      .split("\n")
      .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []));
    expect(text.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(TEXT);
    const { row } = await readWhenWritten(service.store, text[0].id);
    expect(row).toMatchObject({ status: "completed", upstream: "two" });
    // The call that lost was broken off.
    const lost = upstream.received.findLast(({ path }) => placeOf(path) === "one");
    await expect(lost?.aborted).resolves.toBeGreaterThan(0);
  });
});

function yaml(url: string): string {
  const model = (name: string, more = ""): string => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 4096
    minCacheableTokens: 300
    deployments: [ { upstream: one, model: ${name} }, { upstream: two, model: ${name} } ]${more}`;
  return `
routing: { hedgingShare: 1 }
upstreams:
  one: { kind: openai-chat, baseUrl: "${url}/one/v1" }
  two: { kind: openai-chat, baseUrl: "${url}/two/v1" }
models:${model("plain", "\n    optimizations: { choice: false }")}${model("kept")}${model("spread")}${model("hedged", "\n    optimizations: { choice: false }")}
`;
}
