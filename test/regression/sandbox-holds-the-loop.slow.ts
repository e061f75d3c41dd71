import { create } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, it } from "vitest";
import { ContentBlockSchema, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { createHubInput, type HubInit } from "../../src/hub/input.ts";
import { SchemaThread } from "../../src/upstream/sandbox/json/schema-thread.ts";
import { countBlockTokens, createSandboxUpstream } from "../../src/upstream/sandbox/upstream.ts";
import { sendCall } from "../support/send-call.ts";
import { stubModel } from "../support/stub-upstream.ts";

/**
 * What one iteration of the event loop may cost. The thread's own CPU time is measured, which other processes do not
 * change.
 */
const MAX_TURN_MS = 250;

const upstream = createSandboxUpstream("sandbox");
const model = { ...stubModel, contextWindow: 1e9, maxOutputTokens: 1e9 };
const target = {
  model,
  deployment: { upstream: "sandbox", model: "m" },
  streamed: true,
  inferenceId: "i",
  projectId: "p",
};

const say = (text: string) => [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text } } }] }];
const tool = (name: string, schema: object) => {
  return { kind: { case: "function" as const, value: { name, parametersJson: JSON.stringify(schema) } } };
};
const called = (schema: object): HubInit => ({ messages: say("call it"), tools: [tool("f", schema)] });
const object = (properties: object) => called({ type: "object", properties, required: Object.keys(properties) });
const properties = (count: number, make: (index: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, make(index)]));
const never = (depth: number): object =>
  depth === 0 ? { not: {} } : { anyOf: [never(depth - 1), never(depth - 1), never(depth - 1)] };

/** Returns the most CPU time, in milliseconds, that one iteration of the event loop took while the sandbox answered. */
async function longestTurn(init: HubInit): Promise<number> {
  const input = createHubInput({ model: "m", ...init });
  const now = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [last, longest, isRunning] = [now(), 0, true];
  const look = (): void => {
    const time = now();
    longest = Math.max(longest, time - last);
    last = time;
    if (isRunning) setImmediate(look);
  };
  setImmediate(look);
  try {
    for await (const _events of sendCall(upstream.prepare(input, target)));
  } catch (thrown) {
    // A schema that asks for too much may be refused, and nothing else.
    if (!(thrown instanceof InferenceError) || thrown.reason !== ErrorReason.INVALID_REQUEST) throw thrown;
  }
  look();
  isRunning = false;
  return longest;
}

describe("the sandbox lets others have their turn", () => {
  beforeAll(async () => {
    // The vocabulary and the thread are loaded once.
    await longestTurn(object({ a: { type: "string" } }));
  });

  it.each<[string, HubInit]>([
    ["megabytes of one letter", { messages: say("a".repeat(5_000_000)) }],
    ["a megabyte of one word", { messages: say("aB3".repeat(300_000)) }],
    ["megabytes of text beside a tool", { messages: say("helloWorld ".repeat(500_000)), tools: [tool("f", {})] }],
    ["a schema with one long text", object({ a: { const: "a".repeat(200_000) } })],
    ["a schema of long texts", object(properties(1000, () => ({ type: "string", minLength: 99_000 })))],
    ["a pattern of a long text", object({ a: { type: "string", pattern: "^a{100000}$" } })],
    ["a pattern that takes years", object({ a: { pattern: "^(a+)+$", const: `${"a".repeat(40)}!` } })],
    ["a schema of thousands of properties", object(properties(5000, () => ({ type: "string" })))],
    ["a schema of choices that lead nowhere", object({ a: never(8) })],
    ["an embedding of megabytes", { messages: say("ab cd ".repeat(5_000_000)), embedding: { dimensions: 256 } }],
    ["many long embeddings", { messages: Array(2048).fill("a").flatMap(say), embedding: { dimensions: 256 } }],
  ])("while it answers %s", { timeout: 120_000 }, async (_what, init) => {
    expect(await longestTurn(init)).toBeLessThan(MAX_TURN_MS);
  });
});

describe("countBlockTokens()", () => {
  it("estimates what is too long to be counted", async () => {
    const counted: string[] = [];
    const tokenizer = {
      split: () => [],
      count(stretch: string) {
        counted.push(stretch);
        return stretch.length / 4;
      },
    };
    const block = (text: string) => create(ContentBlockSchema, { kind: { case: "text" as const, value: { text } } });
    const blocks = ["x".repeat(400_000), "y".repeat(2_000_000), "z".repeat(100), ""].map((text) => {
      return { section: "system" as const, ttl: undefined, block: block(text) };
    });
    const counts = await countBlockTokens(blocks, tokenizer, new AbortController().signal);
    expect(counts).toEqual([100_000, 500_000, 25, 0]);
    expect(counted.join("").length).toBeLessThan(1_001_000);
  });
});

describe("SchemaThread", () => {
  const schema = JSON.stringify({ type: "object" });
  const hard = (index: number) => JSON.stringify({ pattern: "^(a+)+$", const: `${"a".repeat(40)}${index}!` });

  it("answers in order, and the same again", async () => {
    const thread = new SchemaThread();
    const asker = { projectId: "p", signal: new AbortController().signal };
    const answers = [thread.satisfy("{", "any", asker), thread.satisfy(schema, "object", asker)];
    await expect(answers[0]).rejects.toThrow("the schema is not valid JSON");
    expect(await answers[1]).toBe("{}");
    expect(await thread.satisfy(schema, "object", asker)).toBe("{}");
    const left = thread.satisfy("{}", "any", { ...asker, signal: AbortSignal.abort() });
    await expect(left).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
  });

  it("forgets who left, and takes no more than it can answer soon", async () => {
    const thread = new SchemaThread();
    const asker = { projectId: "p", signal: new AbortController().signal };
    const first = thread.satisfy(hard(0), "any", asker).catch((thrown: unknown) => thrown);
    const leaving = new AbortController();
    const waiting = Array.from({ length: 15 }, (_, index) =>
      thread.satisfy(hard(index + 1), "any", { ...asker, signal: leaving.signal }),
    );
    const settled = Promise.allSettled(waiting);
    await expect(thread.satisfy(schema, "any", asker)).rejects.toMatchObject({
      reason: ErrorReason.UPSTREAM_OVERLOADED,
    });
    // Another project has its turn after the one that is under way.
    const other = thread.satisfy(schema, "object", { ...asker, projectId: "other" }).then(() => "other");
    expect(await Promise.race([other, Promise.race(waiting.slice(1)).catch(() => "waiting")])).toBe("other");
    leaving.abort();
    // The first of them has had its turn by then.
    for (const result of (await settled).slice(1)) {
      expect(result).toMatchObject({ reason: { reason: ErrorReason.CANCELED } });
    }
    expect(await thread.satisfy(schema, "object", asker)).toBe("{}");
    expect(await first).toMatchObject({ message: "finding a value for the schema takes too long" });
    // It is not looked for again.
    const others = thread.satisfy(hard(100), "any", asker).catch((thrown: unknown) => thrown);
    await expect(thread.satisfy(hard(0), "any", asker)).rejects.toThrow("takes too long");
    expect(await Promise.race([others, "waits"])).toBe("waits");
    await others;
  });
});
