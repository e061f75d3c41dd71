import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type GenerateEvent, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../src/inference/error.ts";
import { blockStartEvent } from "../../src/inference/events.ts";
import { InFlight } from "../../src/inference/in-flight.ts";
import { createInferenceService, type InferenceService } from "../../src/inference/service.ts";
import { isUuid } from "../../src/lib/ids.ts";
import {
  type Step,
  stubArchive,
  stubPlan,
  stubRecorder,
  stubRouter,
  stubUpstream,
  textEvents,
} from "../support/stub-upstream.ts";

const overloaded = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy", { upstreamStatus: 529 });
const input = create(InferenceInputSchema, { model: "attune/m" });
const caller = { principal: { keyId: "k", projectId: "p" }, signal: new AbortController().signal };

function setUp(...upstreams: ReturnType<typeof stubUpstream>[]) {
  const recorder = stubRecorder();
  const inFlight = new InFlight();
  const service = createInferenceService({
    router: stubRouter(stubPlan(...upstreams)),
    recorder,
    inFlight,
    archive: stubArchive(),
    validate: () => {},
  });
  return { service, recorder, inFlight };
}

const answering = (name = "up", losses: string[] = []) => stubUpstream(name, [() => [textEvents("Hel", "lo")]], losses);

/** The events of a stream. */
async function streamed(service: InferenceService, who = caller): Promise<GenerateEvent[]> {
  const events: GenerateEvent[] = [];
  await service.stream(input, who, (batch) => void events.push(...batch));
  return events;
}

describe("createInferenceService()", () => {
  it("answers whole with the fold of the stream", async () => {
    const { service } = setUp(answering());
    const response = await service.generate(input, caller);
    expect(isUuid(response.id)).toBe(true);
    expect(response).toMatchObject({
      model: "attune/m",
      content: [{ kind: { case: "text", value: { text: "Hello" } } }],
      serving: { upstream: "up", upstreamModel: "real-m", optimizations: [], translationLosses: [] },
      finished: { usage: { inputTokens: 5, outputTokens: 2 } },
    });
  });

  it("begins every stream with the id", async () => {
    const { service, recorder } = setUp(answering());
    const [first] = await streamed(service);
    expect(first?.event.case).toBe("started");
    expect(first?.event.value).toMatchObject({ id: recorder.records[0]?.id, model: "attune/m" });
  });

  it("records usage, cost and what was answered", async () => {
    const { service, recorder, inFlight } = setUp(answering("up", ["top_k"]));
    await streamed(service);
    expect(recorder.records).toHaveLength(1);
    expect(recorder.records[0]).toMatchObject({
      projectId: "p",
      keyId: "k",
      model: "m",
      upstream: "up",
      upstreamModel: "real-m",
      status: "completed",
      streamed: true,
      // 5 prompt tokens at 1000 nano-USD and 2 of the answer at 10000.
      costNanos: 25_000,
      usage: { inputTokens: 5, outputTokens: 2 },
      output: { serving: { translationLosses: ["top_k"] } },
    });
    expect(recorder.records[0]?.timeToFirstTokenMs).toBeLessThanOrEqual(recorder.records[0]?.latencyMs ?? 0);
    expect(inFlight.size).toBe(0);
  });

  it("goes to the next deployment when one fails before it answers, and says so", async () => {
    const { service } = setUp(stubUpstream("first", [() => [overloaded]]), answering("second"));
    const response = await service.generate(input, caller);
    expect(response.serving).toMatchObject({ upstream: "second", optimizations: ["failover"] });
  });

  it.each<[string, Step[], ErrorReason]>([
    ["the failure is the request's own", [InferenceError.invalid("x", "is wrong")], ErrorReason.INVALID_REQUEST],
    ["the answer has begun", [textEvents("a").slice(0, 3), overloaded], ErrorReason.UPSTREAM_OVERLOADED],
  ])("does not go on when %s", async (_name, steps, reason) => {
    const { service } = setUp(stubUpstream("first", [() => steps]), answering("second"));
    await expect(service.generate(input, caller)).rejects.toMatchObject({ reason });
  });

  it("records a stream that dies with what was known of it", async () => {
    const { service, recorder } = setUp(stubUpstream("up", [() => [textEvents("a").slice(0, 3), overloaded]]));
    await expect(streamed(service)).rejects.toMatchObject({
      facts: { upstreamStatus: 529, usage: { inputTokens: 5 } },
    });
    const [record] = recorder.records;
    expect(record).toMatchObject({
      status: "failed",
      costNanos: 5000,
      output: { content: [{ kind: { value: { text: "a" } } }] },
    });
    expect(record?.error?.facts.inferenceId).toBe(record?.id);
  });

  it("takes a stream without an end event for an interrupted one", async () => {
    const { service } = setUp(stubUpstream("up", [() => [textEvents("a").slice(0, 4)]]));
    await expect(service.generate(input, caller)).rejects.toMatchObject({ reason: ErrorReason.STREAM_INTERRUPTED });
  });

  it("refuses an upstream that breaks the order of events", async () => {
    const { service } = setUp(
      stubUpstream("up", [() => [[blockStartEvent(0, { kind: { case: "text", value: { text: "" } } })]]]),
    );
    await expect(service.generate(input, caller)).rejects.toMatchObject({ reason: ErrorReason.UPSTREAM_ERROR });
  });

  it("records a caller who left as canceled", async () => {
    const { service, recorder } = setUp(stubUpstream("up", [() => [textEvents("a").slice(0, 3), "hang"]]));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    await expect(service.generate(input, { ...caller, signal: controller.signal })).rejects.toMatchObject({
      reason: ErrorReason.CANCELED,
    });
    expect(recorder.records[0]?.status).toBe("canceled");
  });

  it("records a stream that its reader stopped reading", async () => {
    const { service, recorder } = setUp(
      stubUpstream("up", [() => [textEvents("a").slice(0, 2), textEvents("a").slice(2)]]),
    );
    const controller = new AbortController();
    const leave = () => controller.abort();
    await expect(service.stream(input, { ...caller, signal: controller.signal }, leave)).rejects.toMatchObject({
      reason: ErrorReason.CANCELED,
    });
    expect(recorder.records[0]?.status).toBe("canceled");
  });

  it("refuses a loss in strict mode before any call", async () => {
    const { service } = setUp(stubUpstream("up", [() => [overloaded]], ["top_k", "metadata"]));
    const strict = create(InferenceInputSchema, { model: "attune/m", strict: true });
    await expect(service.generate(strict, caller)).rejects.toMatchObject({
      reason: ErrorReason.TRANSLATION_LOSS,
      message: expect.stringContaining("top_k, metadata"),
      facts: { param: "top_k" },
    });
  });

  it("knows the project of an inference while it runs", async () => {
    const events = textEvents("a");
    const { service, inFlight } = setUp(stubUpstream("up", [() => [events.slice(0, 2), events.slice(2)]]));
    const found: unknown[] = [];
    await service.stream(input, caller, ([first]) => {
      if (first?.event.case === "started") found.push(inFlight.find(first.event.value.id)?.projectId);
    });
    expect(found).toEqual(["p"]);
    expect(inFlight.size).toBe(0);
  });

  it("has recorded an inference before its last words go out", async () => {
    const { service, recorder } = setUp(answering());
    const counts: number[] = [];
    await service.stream(input, caller, (events) => {
      if (events.some(({ event }) => event.case === "finished")) counts.push(recorder.records.length);
    });
    expect(counts).toEqual([1]);
    expect(recorder.records.map(({ status }) => status)).toEqual(["completed"]);
  });
});
