import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role, ToolUseBlockSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  AttemptOutcome,
  AttemptRole,
  Deviation,
  FinishReason,
  type GenerateEvent,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent, finishedEvent } from "../../../src/hub/events.ts";
import { createHubInput, type HubInput } from "../../../src/hub/input.ts";
import { routedModelCode } from "../../../src/hub/routed-model-code.ts";
import type { Upstream, UpstreamTarget } from "../../../src/hub/upstream.ts";
import { markToolId } from "../../../src/inference/history/tool-ids.ts";
import type { AttemptRecord, FirstToken } from "../../../src/inference/ports.ts";
import { InFlight } from "../../../src/inference/run/in-flight.ts";
import {
  createInferenceService,
  type InferenceService,
  type InferenceServicePorts,
} from "../../../src/inference/run/service.ts";
import { isUuid } from "../../../src/lib/ids.ts";
import { noConversations } from "../../support/stub-conversations.ts";
import {
  NO_BACKGROUND,
  type Step,
  stubArchive,
  stubModel,
  stubPlace,
  stubPlan,
  stubRecorder,
  stubRouter,
  stubUpstream,
  textEvents,
} from "../../support/stub-upstream.ts";
import { signerOf, TEST_KEY } from "../../support/test-signer.ts";

const overloaded = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy", { upstreamStatus: 529 });
const input = createHubInput({ model: "attune/m" });
const caller = { principal: { keyId: "k", projectId: "p" }, signal: new AbortController().signal };

function setUp(ports: Partial<InferenceServicePorts>, upstreams: readonly Upstream[] = []) {
  const recorder = stubRecorder();
  const inFlight = new InFlight();
  const service = createInferenceService({
    conversations: noConversations,
    estimateTokens: async () => 1,
    signingKey: TEST_KEY,
    router: stubRouter(stubPlan(...upstreams)),
    recorder,
    inFlight,
    archive: stubArchive(),
    background: NO_BACKGROUND,
    validate: () => {},
    ...ports,
  });
  return { service, recorder, inFlight };
}

const answering = (name = "up", losses: string[] = []) => stubUpstream(name, [() => [textEvents("Hel", "lo")]], losses);

/** Answers of an upstream that says the same again and again. */
const repeated = (count: number, events: GenerateEvent[]) =>
  Array.from({ length: count }, () => (): Step[] => [events]);

/** The events of a stream. */
async function streamed(service: InferenceService, who = caller): Promise<GenerateEvent[]> {
  const events: GenerateEvent[] = [];
  await service.stream(input, who, (batch) => void events.push(...batch));
  return events;
}

describe("createInferenceService()", () => {
  it("answers whole with the fold of the stream", async () => {
    const { service } = setUp({}, [answering()]);
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
    const { service, recorder } = setUp({}, [answering()]);
    const [first] = await streamed(service);
    expect(first?.event.case).toBe("started");
    expect(first?.event.value).toMatchObject({ id: recorder.records[0]?.id, model: "attune/m" });
  });

  it("records usage, cost and what was answered", async () => {
    const { service, recorder, inFlight } = setUp({}, [answering("up", ["top_k"])]);
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
    const { service } = setUp({}, [stubUpstream("first", [() => [overloaded]]), answering("second")]);
    const response = await service.generate(input, caller);
    expect(response.serving).toMatchObject({ upstream: "second", optimizations: ["failover"] });
  });

  describe("where the policy chose another model", () => {
    const other = {
      ...stubModel,
      name: "other",
      price: { input: 10_000, output: 20_000, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
    };
    const routed = (first: Upstream, ...base: Upstream[]) => {
      const attempts = [{ ...stubPlace(first), model: other }, ...base.map((upstream) => stubPlace(upstream))];
      return setUp({ router: stubRouter({ ...stubPlan(), strategy: { kind: "sequence", attempts } }) });
    };
    const calling = () => {
      const kind = { case: "toolUse" as const, value: create(ToolUseBlockSchema, { id: "call_1", name: "f" }) };
      const [started] = textEvents();
      const end = finishedEvent({ reason: FinishReason.TOOL_USE });
      return stubUpstream("cheap", [
        () => [started === undefined ? [] : [started, blockStartEvent(0, { kind }), blockEndEvent(0), end]],
      ]);
    };

    it("says who answered, and bills at that model's prices", async () => {
      const { service, recorder } = routed(answering("cheap"), answering("dear"));
      const response = await service.generate(input, caller);
      expect(response.model).toBe("attune/m");
      expect(response.serving).toMatchObject({ upstream: "cheap", model: "other", deviation: Deviation.ROUTED });
      // 5 prompt tokens at 10 nano-USD and 2 of the answer at 20; base would have cost 25,000.
      expect(recorder.records[0]).toMatchObject({
        model: "m",
        servedModel: "other",
        costNanos: 90,
        baseCostNanos: 25_000,
      });
    });

    it("has base answer where that model fails, and says so", async () => {
      const { service, recorder } = routed(stubUpstream("cheap", [() => [overloaded]]), answering("dear"));
      const response = await service.generate(input, caller);
      expect(response.serving).toMatchObject({
        upstream: "dear",
        model: "m",
        deviation: Deviation.NONE,
        optimizations: ["failover"],
      });
      expect(recorder.records[0]).toMatchObject({ model: "m", servedModel: "m" });
    });

    it("marks its tool calls, and takes the marks off again whoever is asked", async () => {
      const { service } = routed(calling());
      const { content } = await service.generate(input, caller);
      expect(content[0]?.kind).toMatchObject({
        case: "toolUse",
        value: { id: markToolId(signerOf("p"), "call_1", routedModelCode("m", "other")) },
      });
      const results = {
        role: Role.TOOL,
        content: [
          {
            kind: {
              case: "toolResult" as const,
              value: { toolUseId: markToolId(signerOf("p"), "call_1", routedModelCode("m", "other")) },
            },
          },
        ],
      };
      const prepared: HubInput[] = [];
      const asked = {
        ...answering("dear"),
        prepare: (given: HubInput, target: UpstreamTarget) => {
          prepared.push(given);
          return answering("dear").prepare(given, target);
        },
      };
      await setUp({}, [asked]).service.generate(
        createHubInput({ model: "attune/m", messages: [{ role: Role.ASSISTANT, content }, results] }),
        caller,
      );
      expect(prepared[0]?.messages.map(({ content }) => content[0]?.kind)).toMatchObject([
        { case: "toolUse", value: { id: "call_1", name: "f" } },
        { case: "toolResult", value: { toolUseId: "call_1" } },
      ]);
    });
  });

  it.each<[string, Step[], ErrorReason]>([
    ["the failure is the request's own", [InferenceError.invalid("x", "is wrong")], ErrorReason.INVALID_REQUEST],
    ["the answer has begun", [textEvents("a").slice(0, 3), overloaded], ErrorReason.UPSTREAM_OVERLOADED],
  ])("does not go on when %s", async (_name, steps, reason) => {
    const { service } = setUp({}, [stubUpstream("first", [() => steps]), answering("second")]);
    await expect(service.generate(input, caller)).rejects.toMatchObject({ reason });
  });

  it("records a stream that dies with what was known of it", async () => {
    const { service, recorder } = setUp({}, [stubUpstream("up", [() => [textEvents("a").slice(0, 3), overloaded]])]);
    await expect(streamed(service)).rejects.toMatchObject({
      facts: { upstreamStatus: 529, usage: { inputTokens: 5 } },
    });
    const [record] = recorder.records;
    expect(record).toMatchObject({
      status: "failed",
      // The prompt as it was told, and a token of the text that came.
      isEstimated: true,
      costNanos: 15_000,
      output: { content: [{ kind: { value: { text: "a" } } }] },
    });
    expect(record?.error?.facts.inferenceId).toBe(record?.id);
  });

  it("takes a stream without an end event for an interrupted one", async () => {
    const { service } = setUp({}, [stubUpstream("up", [() => [textEvents("a").slice(0, 4)]])]);
    await expect(service.generate(input, caller)).rejects.toMatchObject({ reason: ErrorReason.STREAM_INTERRUPTED });
  });

  it("refuses an upstream that breaks the order of events", async () => {
    const { service } = setUp({}, [
      stubUpstream("up", [() => [[blockStartEvent(0, { kind: { case: "text", value: { text: "a" } } })]]]),
    ]);
    await expect(service.generate(input, caller)).rejects.toMatchObject({ reason: ErrorReason.UPSTREAM_ERROR });
  });

  it("records a caller who left as canceled", async () => {
    const { service, recorder } = setUp({}, [stubUpstream("up", [() => [textEvents("a").slice(0, 3), "hang"]])]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    await expect(service.generate(input, { ...caller, signal: controller.signal })).rejects.toMatchObject({
      reason: ErrorReason.CANCELED,
    });
    expect(recorder.records[0]?.status).toBe("canceled");
  });

  it("records a stream that its reader stopped reading", async () => {
    const { service, recorder } = setUp({}, [
      stubUpstream("up", [() => [textEvents("a").slice(0, 3), textEvents("a").slice(3)]]),
    ]);
    const controller = new AbortController();
    const leave = () => controller.abort();
    await expect(service.stream(input, { ...caller, signal: controller.signal }, leave)).rejects.toMatchObject({
      reason: ErrorReason.CANCELED,
    });
    expect(recorder.records[0]?.status).toBe("canceled");
  });

  /** A caller who leaves in the iteration of the event loop in which an upstream answers, before that turn ends. */
  function leaving() {
    const controller = new AbortController();
    const upstream = stubUpstream("up", [
      () => {
        setImmediate(() => controller.abort());
        return [textEvents("a")];
      },
    ]);
    return { who: { ...caller, signal: controller.signal }, upstream };
  }

  it("records an answer as whole that has ended when its caller leaves", async () => {
    const { who, upstream } = leaving();
    const { service, recorder } = setUp({}, [upstream]);
    await service.generate(input, who);
    expect(recorder.records.map(({ status }) => status)).toEqual(["completed"]);
  });

  it("records one as canceled that reads another's call, and leaves in the turn in which that ends", async () => {
    const { who, upstream } = leaving();
    const router = { ...stubRouter(stubPlan(upstream)), coalescing: () => ({ sharedKey: "k", kept: undefined }) };
    const { service, recorder } = setUp({ router });
    const leading = service.generate(input, caller);
    await expect(service.generate(input, who)).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    await leading;
    expect(recorder.records.map(({ status }) => status).sort()).toEqual(["canceled", "completed"]);
  });

  it("records all that end in one iteration of the event loop before any of them is handed on", async () => {
    const { service, recorder } = setUp({}, [stubUpstream("up", repeated(3, textEvents("a")))]);
    const recorded: number[] = [];
    const answers = Array.from({ length: 3 }, async () => {
      await service.generate(input, caller);
      recorded.push(recorder.records.length);
    });
    await Promise.all(answers);
    expect(recorded).toEqual([3, 3, 3]);
  });

  it("lets others have their turn where many that take long to record end at once", async () => {
    const takingLong = {
      ...stubRecorder(),
      offer() {
        for (const end = performance.now() + 15; performance.now() < end; );
        recordedIn.push(turns);
      },
    };
    const recordedIn: number[] = [];
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (recordedIn.length < 6) setImmediate(count);
    };
    const { service } = setUp({ recorder: takingLong }, [stubUpstream("up", repeated(6, textEvents("a")))]);
    setImmediate(count);
    await Promise.all(Array.from({ length: 6 }, () => service.generate(input, caller)));
    // A share of 20 ms is used up by the second.
    expect(new Set(recordedIn).size).toBeGreaterThanOrEqual(3);
  });

  it("refuses a loss in strict mode before any call", async () => {
    const { service } = setUp({}, [stubUpstream("up", [() => [overloaded]], ["top_k", "metadata"])]);
    const strict = createHubInput({ model: "attune/m", strict: true });
    await expect(service.generate(strict, caller)).rejects.toMatchObject({
      reason: ErrorReason.TRANSLATION_LOSS,
      message: expect.stringContaining("top_k, metadata"),
      facts: { param: "top_k" },
    });
  });

  it("knows the project of an inference while it runs", async () => {
    const events = textEvents("a");
    const { service, inFlight } = setUp({}, [stubUpstream("up", [() => [events.slice(0, 3), events.slice(3)]])]);
    const found: unknown[] = [];
    await service.stream(input, caller, ([first]) => {
      if (first?.event.case === "started") found.push(inFlight.find(first.event.value.id)?.projectId);
    });
    expect(found).toEqual(["p"]);
    expect(inFlight.size).toBe(0);
  });

  it("has recorded an inference before its last words go out", async () => {
    const { service, recorder } = setUp({}, [answering()]);
    const counts: number[] = [];
    await service.stream(input, caller, (events) => {
      if (events.some(({ event }) => event.case === "finished")) counts.push(recorder.records.length);
    });
    expect(counts).toEqual([1]);
    expect(recorder.records.map(({ status }) => status)).toEqual(["completed"]);
  });

  it("records every attempt: what was refused, what failed, and what answered", async () => {
    const refusing: Upstream = {
      name: "narrow",
      prepare: () => {
        throw InferenceError.invalid("input.messages[0]", "cannot be carried");
      },
    };
    const dead = stubUpstream("dead", [() => [overloaded]], ["top_k"]);
    const ended: string[] = [];
    const attempts = {
      began: () => {},
      answered: () => {},
      ended: ({ upstream }: AttemptRecord) => void ended.push(upstream),
    };
    const { service, recorder } = setUp({ attempts }, [refusing, dead, answering("alive")]);
    const { serving, id } = await service.generate(input, caller);
    const [record] = recorder.records;
    expect(record?.id).toBe(id);
    expect(record).toMatchObject({ upstream: "alive", upstreamModel: "real-m", error: undefined, costNanos: 25_000 });
    expect(record?.attempts).toMatchObject([
      { upstream: "narrow", role: "primary", outcome: "refused", error: { reason: ErrorReason.INVALID_REQUEST } },
      {
        upstream: "dead",
        role: "failover",
        outcome: "failed",
        error: { reason: overloaded.reason },
        losses: ["top_k"],
      },
      { upstream: "alive", role: "failover", outcome: "completed", error: undefined, costNanos: 25_000, propensity: 1 },
    ]);
    expect(record?.attempts[0]?.firstEventMs).toBeUndefined();
    expect(record?.attempts[2]?.firstEventMs).toBeLessThanOrEqual(record?.attempts[2]?.latencyMs ?? 0);
    expect(serving?.attempts).toMatchObject([
      { upstream: "narrow", outcome: AttemptOutcome.REFUSED, errorReason: ErrorReason.INVALID_REQUEST },
      { upstream: "dead", outcome: AttemptOutcome.FAILED, upstreamStatus: 529 },
      { upstream: "alive", outcome: AttemptOutcome.COMPLETED, role: AttemptRole.FAILOVER, costNanos: 25_000n },
    ]);
    expect(ended).toEqual(["narrow", "dead", "alive"]);
  });

  it("tells in a stream which attempts had begun when it started", async () => {
    const { service } = setUp({}, [stubUpstream("dead", [() => [overloaded]]), answering("alive")]);
    const [first] = await streamed(service);
    expect(first?.event.value).toMatchObject({
      serving: {
        attempts: [
          { upstream: "dead", outcome: AttemptOutcome.FAILED },
          { upstream: "alive", outcome: AttemptOutcome.UNSPECIFIED },
        ],
      },
    });
  });

  it("records the place whose failure the caller is told", async () => {
    const unpaid = new InferenceError(ErrorReason.QUOTA_EXCEEDED, "no credit");
    const { service, recorder } = setUp({}, [
      stubUpstream("busy", [() => [overloaded]]),
      stubUpstream("unpaid", [() => [unpaid]]),
    ]);
    await expect(service.generate(input, caller)).rejects.toMatchObject({ reason: overloaded.reason });
    expect(recorder.records[0]).toMatchObject({ upstream: "busy", status: "failed", attempts: [{}, {}] });
  });

  it("estimates what a stream cost that its caller left", async () => {
    const words = Array.from({ length: 100 }, () => "be").join(" ");
    const { service, recorder } = setUp({}, [stubUpstream("up", [() => [textEvents(words).slice(0, 3), "hang"]])]);
    const controller = new AbortController();
    const leave = (): void => void setImmediate(() => controller.abort());
    await expect(service.stream(input, { ...caller, signal: controller.signal }, leave)).rejects.toThrow();
    // 5 prompt tokens as the upstream said, at 1000 nano-USD, and 100 words of a token each, at 10000.
    expect(recorder.records[0]).toMatchObject({
      status: "canceled",
      isEstimated: true,
      usage: { inputTokens: 5, outputTokens: 100 },
      costNanos: 1_005_000,
      baseCostNanos: 1_005_000,
      attempts: [{ outcome: "canceled", isEstimated: true }],
    });
  });

  it("prices what a deployment served at its own price, and the base at the model's", async () => {
    const plan = stubPlan(answering());
    const [place] = plan.strategy.attempts;
    if (place === undefined || stubModel.price === undefined) throw new Error("the plan has no place with a price");
    const price = { ...stubModel.price, input: 500_000, output: 5_000_000 };
    const attempts = [{ ...place, deployment: { ...place.deployment, price } }];
    const { service, recorder } = setUp({ router: stubRouter({ ...plan, strategy: { kind: "sequence", attempts } }) });
    await service.generate(input, caller);
    expect(recorder.records[0]).toMatchObject({ costNanos: 12_500, baseCostNanos: 25_000, cacheSavedNanos: 0 });
  });

  it("tells what the provider's cache took off, and claims none of it", async () => {
    const usage = { inputTokens: 5, cacheReadTokens: 100, outputTokens: 1 };
    const events = () => [...textEvents("a").slice(0, 4), finishedEvent({ reason: FinishReason.STOP, usage })];
    const { service, recorder } = setUp({}, [stubUpstream("up", [() => [events()]])]);
    await service.generate(input, caller);
    // 100 tokens at 100 in place of 1000 nano-USD.
    const costNanos = 5000 + 10_000 + 10_000;
    expect(recorder.records[0]).toMatchObject({ costNanos, baseCostNanos: costNanos, cacheSavedNanos: 90_000 });
  });

  it("changes no event that an upstream has handed on, nor one that it has handed on itself", async () => {
    const opaque = blockDeltaEvent(0, { case: "opaque", value: "signature" });
    const thinking = blockStartEvent(0, { kind: { case: "thinking", value: { opaque: "sealed" } } });
    const said = [
      ...textEvents().slice(0, 1),
      thinking,
      opaque,
      blockDeltaEvent(0, { case: "thinking", value: "hm" }),
      ...textEvents().slice(2),
    ];
    for (const event of said) deepFreeze(event);
    const { service } = setUp({}, [stubUpstream("up", [() => said.map((event) => [event])])]);
    const heard: GenerateEvent[] = [];
    await service.stream(input, caller, (events) => {
      for (const event of events) heard.push(deepFreeze(event));
    });
    expect(heard.map(({ event }) => event.case)).toEqual(said.map(({ event }) => event.case));
  });

  it("gives the caller the answer whose first words come first, and records the other as broken off", async () => {
    const plan = stubPlan(
      stubUpstream("slow", [() => [textEvents("late").slice(0, 1), "hang"]]),
      stubUpstream("fast", [() => [textEvents("Hello")]]),
    );
    const { attempts } = plan.strategy;
    const { service, recorder } = setUp({
      router: stubRouter({ ...plan, strategy: { kind: "hedged", attempts, afterMs: 5 } }),
    });
    const response = await service.generate(input, caller);
    expect(response.serving).toMatchObject({ upstream: "fast", optimizations: ["hedge"] });
    expect(response.content).toMatchObject([{ kind: { value: { text: "Hello" } } }]);
    // What the slow one had read of the prompt is paid for: 5 tokens at 1000 nano-USD.
    expect(recorder.records[0]).toMatchObject({
      upstream: "fast",
      attempts: [
        { upstream: "slow", outcome: "canceled", usage: { inputTokens: 5 }, costNanos: 5000 },
        { upstream: "fast", outcome: "completed" },
      ],
      costNanos: 20_000,
      baseCostNanos: 15_000,
    });
  });
});

describe("attempts, to those who watch them", () => {
  it("begin, answer and end, with the model and how the caller asked", async () => {
    const heard: unknown[] = [];
    const { service } = setUp(
      {
        attempts: {
          began: (place, { role, position }) => void heard.push(["began", place, role, position]),
          answered: ({ place, afterMs }: FirstToken, { model, streamed }) =>
            void heard.push(["answered", place, afterMs >= 0, model, streamed]),
          ended: ({ upstream, outcome, firstTokenMs }, { model, streamed }) =>
            void heard.push(["ended", upstream, outcome, firstTokenMs !== undefined, model, streamed]),
        },
      },
      [stubUpstream("dead", [() => [overloaded]]), answering("alive")],
    );
    await service.stream(input, caller, () => {});
    expect(heard).toEqual([
      ["began", { upstream: "dead", model: "real-m" }, "primary", 0],
      ["ended", "dead", "failed", false, "m", true],
      ["began", { upstream: "alive", model: "real-m" }, "failover", 1],
      ["answered", { upstream: "alive", model: "real-m" }, true, "m", true],
      ["ended", "alive", "completed", true, "m", true],
    ]);
  });

  it("are begun again only where the router allows one more call", async () => {
    const plan = stubPlan(stubUpstream("dead", [() => [overloaded]]), answering("alive"));
    const asked: string[] = [];
    const mayBegin = (role: string) => {
      asked.push(role);
      return false;
    };
    const { service, recorder } = setUp({ router: { ...stubRouter(plan), mayBegin } });
    await expect(service.generate(input, caller)).rejects.toMatchObject({ reason: ErrorReason.UPSTREAM_OVERLOADED });
    expect(asked).toEqual(["failover"]);
    expect(recorder.records[0]?.attempts).toHaveLength(1);
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
