import { describe, expect, it, vi } from "vitest";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { blockDeltaEvent, blockStartEvent, startedEvent } from "../../../src/hub/events.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { Attempt } from "../../../src/inference/attempts/attempt.ts";
import type { AttemptHost } from "../../../src/inference/attempts/attempt-host.ts";
import type { AttemptQuota, AttemptRecord } from "../../../src/inference/ports.ts";
import { caller, placeThatSays, serviceOf } from "../../support/answer-by-plan.ts";
import { stubPlan } from "../../support/stub-upstream.ts";
import { signerOf } from "../../support/test-signer.ts";

const busy = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy", { upstreamStatus: 529 });
const emptyText = blockStartEvent(0, { kind: { case: "text", value: { text: "" } } });

describe("an answer that breaks off at its beginning", () => {
  const second = placeThatSays("b", ["Hello"]);

  it.each([
    ["after its start", [startedEvent({})]],
    ["after the start of an empty text", [startedEvent({}), emptyText]],
  ])("is asked of the next deployment where it fails %s", async (_when, said) => {
    const first = placeThatSays("a", [[...said.map((event) => [event]), busy]]);
    const made = serviceOf({ strategy: { kind: "sequence", attempts: [first, second] } });
    const { attempts, events } = await streamOnce(made);
    expect(attempts.map(({ upstream, outcome }) => [upstream, outcome])).toEqual([
      ["a", "failed"],
      ["b", "completed"],
    ]);
    expect(events.filter(({ event }) => event.case === "started")).toHaveLength(1);
    expect(events.at(-1)?.event.case).toBe("finished");
  });

  it("fails where some of it has come", async () => {
    const begun = [startedEvent({}), emptyText, blockDeltaEvent(0, { case: "text", value: "He" })];
    const first = placeThatSays("a", [[begun, busy]]);
    const made = serviceOf({ strategy: { kind: "sequence", attempts: [first, second] } });
    await expect(streamOnce(made)).rejects.toMatchObject({ message: "busy" });
  });

  it("fails before its stream where there is no further deployment", async () => {
    const only = placeThatSays("a", [[[startedEvent({})], [emptyText], busy]]);
    const { service } = serviceOf({ strategy: { kind: "sequence", attempts: [only] } });
    const came: (string | undefined)[] = [];
    const running = service.stream(createHubInput({ model: "attune/m" }), caller(), (events) => {
      came.push(...events.map(({ event }) => event.case));
    });
    await expect(running).rejects.toMatchObject({ message: "busy" });
    expect(came).toEqual([]);
  });

  it.each([
    ["another deployment", [second]],
    ["none", []],
  ])("goes on after a second with %s to ask, whatever comes of it then", async (_left, further) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const came: (string | undefined)[] = [];
    const first = placeThatSays("a", [[[startedEvent({})], "hang"]]);
    const { service } = serviceOf({ strategy: { kind: "sequence", attempts: [first, ...further] } });
    const stop = new AbortController();
    const input = createHubInput({ model: "attune/m" });
    const running = service.stream(input, caller(stop.signal), (events) => {
      came.push(...events.map(({ event }) => event.case));
    });
    await vi.advanceTimersByTimeAsync(990);
    expect(came).toEqual([]);
    await vi.advanceTimersByTimeAsync(20);
    expect(came).toEqual(["started"]);
    stop.abort();
    await expect(running).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    vi.useRealTimers();
  });
});

/** Streams one answer, and returns what came of it. */
async function streamOnce({ service, recorder }: ReturnType<typeof serviceOf>) {
  const events: GenerateEvent[] = [];
  await service.stream(createHubInput({ model: "attune/m" }), caller(), (batch) => void events.push(...batch));
  return { events, attempts: recorder.records[0]?.attempts ?? [] };
}

describe("Attempt", () => {
  it("costs nothing and gives back what it reserved, where it was broken off while it waited for that", async () => {
    const reserved = Promise.withResolvers<AttemptQuota>();
    const ended: AttemptRecord[] = [];
    const input = createHubInput({ model: "attune/m" });
    const host = {
      id: "i",
      principal: { keyId: "k", projectId: "p" },
      input,
      streamed: false,
      startMs: 0,
      prompt: { input, historyLength: 0, previousId: undefined, signer: signerOf("p") },
      plan: stubPlan(),
      reserve: () => reserved.promise,
      ended: ({ record }) => void ended.push(record),
    } as Partial<AttemptHost> as AttemptHost;
    const stop = new AbortController();
    const planned = placeThatSays("up", ["Hello"]);
    const attempt = new Attempt(host, {
      planned,
      role: "candidate",
      signal: stop.signal,
      isHedged: false,
      claim: () => {},
    });
    const held = attempt.hold();
    attempt.breakOff();
    stop.abort();
    const settled: unknown[] = [];
    reserved.resolve({ settle: (taken) => void settled.push(taken) });
    await held.catch(() => {});
    expect(ended).toMatchObject([{ outcome: "canceled", usage: undefined, costNanos: undefined }]);
    expect(settled).toEqual([{}]);
  });
});
