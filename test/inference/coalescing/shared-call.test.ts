import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { blockDeltaEvent } from "../../../src/hub/events.ts";
import type { EventSink } from "../../../src/hub/upstream.ts";
import { eventBytes } from "../../../src/inference/coalescing/event-bytes.ts";
import { SharedCalls, type SharedLimits } from "../../../src/inference/coalescing/shared-calls.ts";
import type { InferenceRun } from "../../../src/inference/run/inference-run.ts";

/** All that a call shared in one format asks of whose it is. */
const leader = { input: { dialect: 0 }, plan: { strategy: { attempts: [] } } } as unknown as InferenceRun;
const stays = new AbortController().signal;
const event = (text: string): GenerateEvent => blockDeltaEvent(0, { case: "text", value: text });
const textOf = ({ event }: GenerateEvent): string =>
  event.case === "blockDelta" && event.value.delta.case === "text" ? event.value.delta.value : "";

function setUp(limits: Partial<SharedLimits> = {}) {
  const calls = new SharedCalls({ callBytes: 1e6, totalBytes: 1e7, ...limits });
  return { calls, call: calls.begin("key", leader) };
}

/** A reader, what it got, and how its reading ended. */
function reader(wait?: () => Promise<void>) {
  const got: string[] = [];
  const sink: EventSink = (events) => {
    got.push(...events.map(textOf));
    return wait?.();
  };
  return { got, sink };
}

const never = (): Promise<void> => new Promise(() => {});

describe("SharedCall", () => {
  it("gives every reader all events, whenever it comes", async () => {
    const { call } = setUp();
    const [one, two] = [reader(), reader()];
    const first = call.join(one.sink, stays);
    void call.take([event("a"), event("b")]);
    const second = call.join(two.sink, stays);
    void call.take([event("c")]);
    call.end();
    await Promise.all([first, second]);
    expect([one.got, two.got]).toEqual([
      ["a", "b", "c"],
      ["a", "b", "c"],
    ]);
  });

  it("has the upstream wait while all readers do, and no longer", async () => {
    const { call } = setUp();
    const resumes: (() => void)[] = [];
    const slow = () => new Promise<void>((resolve) => void resumes.push(resolve));
    const [one, two] = [reader(slow), reader(slow)];
    void call.join(one.sink, stays);
    void call.join(two.sink, stays);
    let isTaken = false;
    void Promise.resolve(call.take([event("a")])).then(() => {
      isTaken = true;
    });
    await turn();
    expect(isTaken).toBe(false);
    resumes[1]?.();
    await turn();
    expect(isTaken).toBe(true);
    void call.take([event("b")]);
    expect([one.got, two.got]).toEqual([["a"], ["a", "b"]]);
  });

  it("goes on when somebody joins those who are all slow", async () => {
    const { call } = setUp();
    void call.join(reader(never).sink, stays);
    const taken = Promise.resolve(call.take([event("a")]));
    const quick = reader();
    void call.join(quick.sink, stays);
    await taken;
    expect(quick.got).toEqual(["a"]);
  });

  it("ends with the answer's error for all, also for who has yet to take what came before", async () => {
    const { call, calls } = setUp();
    const resume = Promise.withResolvers<void>();
    const slow = reader(() => resume.promise);
    const ends = [call.join(slow.sink, stays), call.join(reader().sink, stays)];
    void call.take([event("a")]);
    void call.take([event("b")]);
    const error = new InferenceError(ErrorReason.STREAM_INTERRUPTED, "it broke off");
    call.end(error);
    expect(calls.find("key", leader)).toBeUndefined();
    resume.resolve();
    expect(await Promise.allSettled(ends)).toEqual([
      { status: "rejected", reason: error },
      { status: "rejected", reason: error },
    ]);
    expect(slow.got).toEqual(["a", "b"]);
    expect(calls.bytes).toBe(0);
  });

  it("goes on when the first reader leaves, and is broken off when the last one does", async () => {
    const { call, calls } = setUp();
    const [first, last] = [new AbortController(), new AbortController()];
    const ends = [call.join(reader().sink, first.signal), call.join(reader().sink, last.signal)];
    void call.take([event("a")]);
    first.abort();
    await expect(ends[0]).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    expect([call.signal.aborted, call.isRead]).toEqual([false, true]);
    last.abort();
    await expect(ends[1]).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    expect([call.signal.aborted, call.isRead]).toEqual([true, false]);
    expect([calls.bytes, calls.size]).toEqual([0, 0]);
    // What the upstream still sends is not kept.
    void call.take([event("b")]);
    expect(calls.bytes).toBe(0);
  });

  it("loses a reader whose sink throws, and no other", async () => {
    const { call } = setUp();
    const broken = call.join(() => {
      throw new Error("broken pipe");
    }, stays);
    const other = reader();
    const whole = call.join(other.sink, stays);
    void call.take([event("a")]);
    call.end();
    await expect(broken).rejects.toThrow("broken pipe");
    await whole;
    expect(other.got).toEqual(["a"]);
  });
});

describe("SharedCall, where events take more room than they may", () => {
  const piece = event("x".repeat(1000));
  const bytes = eventBytes([piece]);

  it("lets nobody join, and keeps nothing that all have had", async () => {
    const { call, calls } = setUp({ callBytes: 3 * bytes });
    const one = reader();
    const whole = call.join(one.sink, stays);
    for (let count = 0; count < 3; count++) void call.take([piece]);
    expect(calls.find("key", leader)).toBe(call);
    expect(calls.bytes).toBe(3 * bytes);
    void call.take([piece]);
    expect([calls.find("key", leader), calls.bytes]).toEqual([undefined, 0]);
    for (let count = 0; count < 100; count++) void call.take([piece]);
    call.end();
    await whole;
    expect(one.got).toHaveLength(104);
  });

  it("leaves the slowest behind with an error that may be tried again, and no other", async () => {
    const { call, calls } = setUp({ callBytes: 3 * bytes });
    const resume = Promise.withResolvers<void>();
    let isHeld = false;
    const stuck = call.join(reader(never).sink, stays);
    const [lagging, quick] = [reader(() => (isHeld ? resume.promise : Promise.resolve())), reader()];
    const others = [call.join(lagging.sink, stays), call.join(quick.sink, stays)];
    void call.take([piece]);
    void call.take([piece]);
    await turn();
    isHeld = true;
    for (let count = 0; count < 3; count++) void call.take([piece]);
    await expect(stuck).rejects.toMatchObject({ reason: ErrorReason.UNAVAILABLE, retryable: true });
    expect(calls.bytes).toBeLessThanOrEqual(3 * bytes);
    resume.resolve();
    call.end();
    await Promise.all(others);
    expect([lagging.got.length, quick.got.length]).toEqual([5, 5]);
    expect(calls.bytes).toBe(0);
  });

  it("counts all calls together, and spares who holds little", async () => {
    const { calls, call } = setUp({ callBytes: 16 * bytes, totalBytes: 4 * bytes });
    const other = calls.begin("other", leader);
    const [one, slow, two] = [reader(), reader(never), reader()];
    void call.join(one.sink, stays);
    for (const { sink } of [slow, two]) other.join(sink, stays).catch(() => {});
    for (let count = 0; count < 4; count++) void call.take([piece]);
    void other.take([piece]);
    expect([calls.find("key", leader), calls.find("other", leader)]).toEqual([call, undefined]);
    // The other call lets go of what it holds as well when its next events come.
    void call.take([piece]);
    expect([calls.find("key", leader), calls.bytes]).toEqual([undefined, 0]);
    void other.take([piece]);
    expect(calls.bytes).toBe(bytes);
    expect([slow.got.length, two.got.length]).toEqual([1, 2]);
  });
});
