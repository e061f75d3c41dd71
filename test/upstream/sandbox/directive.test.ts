import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { errorStatus } from "../../../src/formats/shared/error-status.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { createSandboxUpstream } from "../../../src/upstream/sandbox/upstream.ts";
import { sendCall } from "../../support/send-call.ts";
import { type InputInit, inputOf, run, TARGET, user } from "./harness.ts";

const directed = (directive: string): InputInit => ({ model: `attune/m:sandbox-${directive}` });

describe("a directive", () => {
  it.each([
    ["the model's name", { model: "attune/m:sandbox-empty" }],
    ["the metadata", { metadata: { sandbox: "empty" } }],
    ["the end user's id", { endUserId: "sandbox:empty" }],
    ["the model's name before the metadata", { model: "attune/m:sandbox-empty", metadata: { sandbox: "refusal" } }],
  ] satisfies [string, InputInit][])("is read from %s", async (_name, init) => {
    const { blocks, finished } = await run(init);
    expect(blocks).toEqual([]);
    expect(finished).toMatchObject({ reason: FinishReason.STOP, usage: { outputTokens: 0 } });
  });

  it.each([
    [{ endUserId: "user-1", metadata: { other: "empty" } }],
    [{ model: "attune/m:8b" }],
    [{ messages: [user("sandbox:empty :sandbox-empty")] }],
  ] satisfies [InputInit][])("is not read from %j", async (init) => {
    const { blocks } = await run(init);
    expect(blocks).toHaveLength(1);
  });

  const known =
    "the sandbox does not know this directive; it knows overload, rate-limit, error, context-length, mid-stream-death, slow-first-token, slow, long, refusal, content-filter, empty, broken-json";
  it.each([
    ["model", directed("nonsense"), known],
    ["model", directed(""), known],
    ["model", directed("constructor"), known],
    ["metadata.sandbox", { metadata: { sandbox: "Overload" } }, known],
    ["end_user_id", { dialect: Dialect.MESSAGES, endUserId: "sandbox:x" }, known],
    ["end_user_id", { dialect: Dialect.CHAT, endUserId: "sandbox:x" }, known],
    ["model", directed("overload=1"), "the sandbox's directive overload takes no number"],
    [
      "model",
      directed("error=200"),
      "the sandbox's directive error takes a whole number from 400 to 599, as in error=500",
    ],
    [
      "model",
      directed("error=4e2"),
      "the sandbox's directive error takes a whole number from 400 to 599, as in error=500",
    ],
    [
      "model",
      directed("error="),
      "the sandbox's directive error takes a whole number from 400 to 599, as in error=500",
    ],
    [
      "model",
      directed("long=1=2"),
      "the sandbox's directive long takes a whole number from 1 to 200000, as in long=1000",
    ],
    [
      "model",
      directed("long=0.5"),
      "the sandbox's directive long takes a whole number from 1 to 200000, as in long=1000",
    ],
    [
      "model",
      directed("rate-limit=-1"),
      "the sandbox's directive rate-limit takes a number from 0 to 3600, as in rate-limit=1",
    ],
  ] satisfies [string, InputInit, string][])("that is wrong is refused at %s: %j", (param, init, message) => {
    const prepare = () => createSandboxUpstream("sandbox").prepare(inputOf(init), TARGET);
    expect(prepare).toThrow(InferenceError.invalid(param, message));
    expect(prepare).toThrow(expect.objectContaining({ reason: ErrorReason.INVALID_REQUEST }));
  });
});

describe("directives that fail", () => {
  it.each([
    ["overload", Dialect.CHAT, ErrorReason.UPSTREAM_OVERLOADED, 503],
    ["overload", Dialect.RESPONSES, ErrorReason.UPSTREAM_OVERLOADED, 503],
    ["overload", Dialect.MESSAGES, ErrorReason.UPSTREAM_OVERLOADED, 529],
    ["error", Dialect.CHAT, ErrorReason.UPSTREAM_ERROR, 500],
    ["error=400", Dialect.CHAT, ErrorReason.INVALID_REQUEST, 400],
    ["error=401", Dialect.CHAT, ErrorReason.UNAUTHENTICATED, 401],
    ["error=402", Dialect.CHAT, ErrorReason.QUOTA_EXCEEDED, 402],
    ["error=403", Dialect.CHAT, ErrorReason.PERMISSION_DENIED, 403],
    ["error=404", Dialect.CHAT, ErrorReason.NOT_FOUND, 404],
    ["error=408", Dialect.CHAT, ErrorReason.UPSTREAM_ERROR, 408],
    ["error=409", Dialect.CHAT, ErrorReason.UPSTREAM_ERROR, 409],
    ["error=413", Dialect.CHAT, ErrorReason.REQUEST_TOO_LARGE, 413],
    ["error=422", Dialect.CHAT, ErrorReason.INVALID_REQUEST, 422],
    ["error=429", Dialect.CHAT, ErrorReason.RATE_LIMITED, 429],
    ["error=503", Dialect.CHAT, ErrorReason.UPSTREAM_OVERLOADED, 503],
    ["error=504", Dialect.CHAT, ErrorReason.UPSTREAM_ERROR, 504],
    ["error=529", Dialect.CHAT, ErrorReason.UPSTREAM_OVERLOADED, 529],
    ["context-length", Dialect.CHAT, ErrorReason.CONTEXT_LENGTH_EXCEEDED, 400],
  ])("%s for dialect %d", async (directive, dialect, reason, status) => {
    const { batches, error } = await run({ ...directed(directive), dialect });
    expect(batches).toEqual([]);
    expect(error).toMatchObject({ reason, facts: { upstream: "sandbox", upstreamStatus: status } });
    expect(error && errorStatus(error)).toBe(status);
  });

  it.each([
    ["rate-limit", 1000],
    ["rate-limit=0", 0],
    ["rate-limit=2.5", 2500],
  ])("%s says when to come again", async (directive, retryAfterMs) => {
    const { error } = await run(directed(directive));
    expect(error).toMatchObject({ reason: ErrorReason.RATE_LIMITED, facts: { retryAfterMs, upstreamStatus: 429 } });
  });

  it.each([
    ["mid-stream-death=0", []],
    ["mid-stream-death=3", ["text This is Att"]],
    ["mid-stream-death", ["text This is Attune's"]],
    ["mid-stream-death=100", ["text This is Attune's sandbox, not a model. You said: hi"]],
  ])("%s dies after the tokens, and never finishes", async (directive, expected) => {
    const { batches, blocks, finished, error } = await run(directed(directive));
    expect(batches[0]?.[0]?.event.case).toBe("started");
    expect(blocks).toEqual(expected);
    expect(finished).toBeUndefined();
    expect(error?.reason).toBe(ErrorReason.STREAM_INTERRUPTED);
    expect(error?.facts.usage?.inputTokens).toBe(1);
    expect(error?.facts.usage?.outputTokens).toBe({ 0: 0, 3: 3, 5: 5, 100: 15 }[directive.split("=")[1] ?? "5"]);
  });
});

describe("directives that answer", () => {
  it("refusal refuses in words", async () => {
    const { blocks, finished } = await run(directed("refusal"));
    expect(blocks).toEqual(["refusal The sandbox was directed to refuse."]);
    expect(finished).toMatchObject({ reason: FinishReason.REFUSAL, rawReason: "refusal" });
  });

  it("content-filter cuts the answer", async () => {
    const { blocks, finished } = await run(directed("content-filter"));
    expect(blocks).toEqual(["text The sandbox was"]);
    expect(finished).toMatchObject({ reason: FinishReason.CONTENT_FILTER, rawReason: "content_filter" });
  });

  it.each([1, 2, 9, 10, 11, 37, 300])("long=%d has so many tokens", async (tokens) => {
    const { blocks, finished } = await run(directed(`long=${tokens}`));
    expect(blocks[0]).toMatch(/^text The( sandbox|$)/);
    expect(finished).toMatchObject({ reason: FinishReason.STOP, usage: { outputTokens: tokens } });
  });

  it("slow-first-token waits after the start", async () => {
    const begin = performance.now();
    const times: number[] = [];
    const call = createSandboxUpstream("sandbox").prepare(inputOf(directed("slow-first-token=150")), TARGET);
    for await (const _batch of sendCall(call)) times.push(performance.now() - begin);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(140);
  });

  it("slow sends each token by itself, and waits between", async () => {
    const begin = performance.now();
    const { batches } = await run(directed("slow=10"));
    expect(performance.now() - begin).toBeGreaterThan(15 * 9);
    expect(batches.map((batch) => batch.map(({ event }) => event.case).join(" "))).toEqual([
      "started",
      "blockStart blockDelta",
      ...Array.from({ length: 14 }, () => "blockDelta"),
      "blockEnd",
      "finished",
    ]);
  });

  it.each(["slow-first-token=60000", "slow=60000"])("%s ends at once when the caller goes away", async (directive) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const begin = performance.now();
    const { error, finished } = await run(directed(directive), controller.signal);
    expect(performance.now() - begin).toBeLessThan(5000);
    expect(error?.reason).toBe(ErrorReason.CANCELED);
    expect(finished).toBeUndefined();
  });
});
