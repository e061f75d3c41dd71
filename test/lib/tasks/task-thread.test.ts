import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { TaskThread } from "../../../src/lib/tasks/task-thread.ts";

class NotDone extends Error {}

const LONG_MS = 30_000;
const threads: TaskThread[] = [];
const deaths: unknown[] = [];

function create(idleMs?: number, maxWaitingOfOwner?: number): TaskThread {
  const thread = new TaskThread({
    module: new URL("./some-tasks.ts", import.meta.url),
    onDeath: (error) => deaths.push(error),
    createError: (why, options) => new NotDone(why, options),
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(maxWaitingOfOwner === undefined ? {} : { maxWaitingOfOwner }),
  });
  threads.push(thread);
  return thread;
}

function run(thread: TaskThread, name: string, args: readonly unknown[] = [], limitMs = LONG_MS): Promise<unknown> {
  return thread.run(name, args, { limitMs });
}

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
  deaths.splice(0);
});

describe("a thread for tasks", () => {
  it("does them one after another, and copies what goes in and comes out", async () => {
    const thread = create();
    const value = { at: new Date(5), bytes: new Uint8Array([1, 2]), map: new Map([["a", undefined]]), none: undefined };
    const order: unknown[] = [];
    await Promise.all([
      run(thread, "sleep", [50]).then((slept) => order.push(slept)),
      run(thread, "echo", [value]).then((echoed) => order.push(echoed)),
    ]);
    expect(order).toEqual(["slept", value]);
  });

  it("is handed over what is to be transferred", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const echoed = await create().run("echo", [bytes], { limitMs: LONG_MS, transfer: [bytes.buffer] });
    expect(echoed).toEqual(new Uint8Array([1, 2, 3]));
    expect(bytes.byteLength).toBe(0);
  });

  it("does no task whose signal aborts while it waits, and ends the one that is under way", async () => {
    const thread = create();
    const leaving = new AbortController();
    const options = { limitMs: LONG_MS, signal: leaving.signal };
    const running = thread.run("sleep", [50], options);
    const waiting = thrownBy(thread.run("echo", ["never"], options));
    leaving.abort();
    expect(await waiting).toEqual(new NotDone("nobody waits for it any more"));
    expect(await running).toBe("slept");
    const left = thrownBy(thread.run("echo", ["never"], { limitMs: LONG_MS, signal: AbortSignal.abort() }));
    expect(await left).toEqual(new NotDone("nobody waits for it any more"));
  });

  it("throws what the task throws, with its code, its cause and where it came from", async () => {
    const thread = create();
    const range = await thrownBy(run(thread, "range"));
    expect(range).toBeInstanceOf(RangeError);
    expect(range).toMatchObject({ message: "too many" });
    const coded = await thrownBy(run(thread, "coded"));
    expect(coded).toMatchObject({ message: "outer", code: "ERR_SOME", cause: { message: "inner", errcode: 11 } });
    expect((coded as Error).stack).toContain("some-tasks.ts");
  });

  it("throws where something cannot be copied, and goes on", async () => {
    const thread = create();
    const first = await run(thread, "thread");
    expect(await thrownBy(run(thread, "notCopied"))).toMatchObject({ name: "DataCloneError" });
    expect(await thrownBy(run(thread, "echo", [() => 1]))).toMatchObject({ name: "DataCloneError" });
    expect(await thrownBy(run(thread, "unknown"))).toMatchObject({ message: "there is no task unknown" });
    expect(await run(thread, "thread")).toBe(first);
  });

  it("is given up with a task that takes too long, while others go on in a new one", async () => {
    const thread = create();
    const first = await run(thread, "thread");
    const begun = performance.now();
    const late = thrownBy(run(thread, "spin", [LONG_MS], 300));
    const next = run(thread, "thread");
    expect(await late).toEqual(new NotDone("it was not done in 300 ms"));
    expect(await next).not.toBe(first);
    expect(performance.now() - begun).toBeLessThan(LONG_MS / 2);
    expect(deaths).toEqual([]);
  });

  it("gives those that wait for one which is started anew the time that this takes", async () => {
    const thread = create();
    const first = await run(thread, "thread");
    const late = thrownBy(run(thread, "spin", [LONG_MS], 300));
    // A millisecond later there is a new thread, which has not started.
    const next = run(thread, "thread", [], 301);
    expect(await late).toEqual(new NotDone("it was not done in 300 ms"));
    expect(await next).not.toBe(first);
  });

  it("holds the first task of a thread to its limit, once the thread has started", async () => {
    const beganMs = performance.now();
    expect(await thrownBy(run(create(), "spin", [LONG_MS], 100))).toEqual(new NotDone("it was not done in 100 ms"));
    // The start may take twenty seconds, and takes far less.
    expect(performance.now() - beganMs).toBeLessThan(15_000);
  });

  it("goes on with a task that others kept waiting for too long", async () => {
    const thread = create();
    const first = await run(thread, "thread");
    const slow = run(thread, "sleep", [600]);
    expect(await thrownBy(run(thread, "echo", [1], 100))).toEqual(new NotDone("it was not done in 100 ms"));
    expect(await slow).toBe("slept");
    expect(await run(thread, "thread")).toBe(first);
  });

  it("refuses more than 200 that wait", async () => {
    const thread = create();
    const sleeping = run(thread, "sleep", [500]);
    const waiting = Array.from({ length: 200 }, (_, index) => run(thread, "echo", [index]));
    expect(await thrownBy(run(thread, "echo"))).toEqual(new NotDone("too many others wait for the same thread"));
    await sleeping;
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 200 }, (_, index) => index));
  });

  it("does one task of each owner after another, and refuses those of whom too many wait", async () => {
    const thread = create(undefined, 3);
    const order: string[] = [];
    const ask = async (owner: string, name: string): Promise<void> => {
      const echoed = thread.run("echo", [name], { limitMs: LONG_MS, owner });
      await echoed.then(
        () => order.push(name),
        () => order.push(`not ${name}`),
      );
    };
    const names = [
      ["a", "a1"],
      ["a", "a2"],
      ["a", "a3"],
      ["a", "a4"],
      ["a", "a5"],
      ["b", "b1"],
      ["b", "b2"],
      ["c", "c1"],
    ] as const;
    await Promise.all(names.map(([owner, name]) => ask(owner, name)));
    expect(order).toEqual(["not a5", "a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("refuses those of an owner that wait", async () => {
    const thread = create();
    const asked = ["a", "a", "b"].map((owner) => thread.run("echo", [owner], { limitMs: LONG_MS, owner }));
    thread.refuse("a", "enough");
    const refused = (asked[1] ?? expect.fail()).catch((error: unknown) => error);
    expect(await Promise.all([asked[0], refused, asked[2]])).toEqual(["a", new NotDone("enough"), "b"]);
  });

  it.each([
    ["die", "a thread ended with 3"],
    ["fail", "a fault outside of the task"],
  ])("that dies (%s) fails its task, is told of, and is started anew", async (name, message) => {
    const thread = create();
    const dying = thrownBy(run(thread, name));
    const next = run(thread, "echo", ["next"]);
    expect(await dying).toMatchObject({ message: "the thread for it died" });
    expect(await next).toBe("next");
    expect(deaths).toMatchObject([{ message }]);
  });

  it("ends once there was no task for a while, and starts again", async () => {
    const thread = create(50);
    const first = await run(thread, "thread");
    await delay(500);
    expect(await run(thread, "thread")).not.toBe(first);
    expect(deaths).toEqual([]);
  });

  it("refuses what waits when it is closed, and what comes later", async () => {
    const thread = create();
    await run(thread, "thread");
    const waiting = [run(thread, "sleep", [LONG_MS]), run(thread, "echo")].map(thrownBy);
    await thread.close();
    const ends = new NotDone("the thread for it ends");
    expect(await Promise.all(waiting)).toEqual([ends, ends]);
    expect(await thrownBy(run(thread, "echo"))).toEqual(new NotDone("the thread for it has ended"));
  });
});
