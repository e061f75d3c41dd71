import { describe, expect, it } from "vitest";
import { ErrorReason } from "../../src/hub/error.ts";
import { createHubInput } from "../../src/hub/input.ts";
import type { Upstream, UpstreamTarget } from "../../src/hub/upstream.ts";
import { Semaphore } from "../../src/lib/semaphore.ts";
import { withQueue } from "../../src/upstream/registry.ts";
import { UpstreamQueues } from "../../src/upstream/upstream-queues.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { openCloud } from "./clouds/call-cloud.ts";

/** An upstream whose calls end when the test says so, and fail where it gives an error; their projects in order. */
function createUpstream() {
  const begun: string[] = [];
  const open: PromiseWithResolvers<void>[] = [];
  const upstream: Upstream = {
    name: "up",
    prepare: (_input, { projectId }) => ({
      losses: [],
      send() {
        const call = Promise.withResolvers<void>();
        begun.push(projectId);
        open.push(call);
        return call.promise;
      },
    }),
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    upstream,
    begun,
    async end(error?: Error) {
      if (error === undefined) open.shift()?.resolve();
      else open.shift()?.reject(error);
      await settled();
    },
    settled,
  };
}

function send(upstream: Upstream, projectId: string, signal = new AbortController().signal): Promise<void> {
  // The stub looks at nothing else.
  return upstream.prepare(createHubInput({}), { projectId } as UpstreamTarget).send(() => {}, signal);
}

describe("withQueue()", () => {
  it("sends calls beyond the limit one project after another, also behind one that fails", async () => {
    const { upstream, begun, end, settled } = createUpstream();
    const queued = withQueue(upstream, { concurrentCalls: 1, waitMs: 60_000 }, new Semaphore(1));
    const calls = ["a", "a", "a", "b", "c"].map((project) => send(queued, project).catch(() => "failed"));
    await settled();
    expect(begun).toEqual(["a"]);
    expect(queued.waiting?.()).toBe(4);
    await end(new Error("failed"));
    for (let rest = 0; rest < 4; rest += 1) await end();
    expect(queued.waiting?.()).toBe(0);
    expect(begun).toEqual(["a", "a", "b", "c", "a"]);
    expect(await Promise.all(calls)).toEqual(["failed", undefined, undefined, undefined, undefined]);
  });

  it("refuses a call that has waited for so long", async () => {
    const { upstream, begun, end } = createUpstream();
    const queued = withQueue(upstream, { concurrentCalls: 1, waitMs: 1 }, new Semaphore(1));
    const first = send(queued, "a");
    await expect(send(queued, "b")).rejects.toMatchObject({
      reason: ErrorReason.RATE_LIMITED,
      facts: { isQueueFull: true },
      message:
        "the upstream 'up' answers 1 calls at a time, the maximum of its queue.concurrentCalls, and others wait before this one",
    });
    await end();
    await first;
    expect(begun).toEqual(["a"]);
  });

  it("takes a caller that goes out of the queue", async () => {
    const { upstream, begun, end, settled } = createUpstream();
    const queued = withQueue(upstream, { concurrentCalls: 1, waitMs: 60_000 }, new Semaphore(1));
    const first = send(queued, "a");
    const gone = new AbortController();
    const second = send(queued, "b", gone.signal);
    const third = send(queued, "c");
    await settled();
    gone.abort();
    await expect(second).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    await end();
    await end();
    await Promise.all([first, third]);
    expect(begun).toEqual(["a", "c"]);
  });

  it("lets calls of before a reload count, and takes the new limit for those that wait", async () => {
    const scripted = await startScriptedUpstream();
    const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    scripted.answer(...ends.map(({ promise: until }) => ({ steps: ["{", { until }] })));
    const queues = new UpstreamQueues();
    const openWith = (concurrentCalls: number) => {
      const queue = { concurrentCalls, waitMs: 60_000 };
      return openCloud({ kind: "openai-chat", baseUrl: scripted.url, queue }, {}, queues);
    };
    const before = openWith(1);
    const calls = [before.call("m"), before.call("m")];
    await expect.poll(() => scripted.received.length).toBe(1);
    const after = openWith(1);
    calls.push(after.call("m"));
    ends[0]?.resolve();
    await expect.poll(() => scripted.received.length).toBe(2);
    const last = openWith(2);
    await expect.poll(() => scripted.received.length).toBe(3);
    for (const { resolve } of ends) resolve();
    await Promise.all(calls);
    for (const cloud of [before, after, last]) await cloud.close();
    await scripted.close();
    expect(scripted.received).toHaveLength(3);
  });

  it("is put around an upstream that has a queue in its configuration", async () => {
    const scripted = await startScriptedUpstream();
    const release = Promise.withResolvers<void>();
    scripted.answer({ steps: ["{", { until: release.promise }] });
    const queue = { concurrentCalls: 1, waitMs: 1 };
    const cloud = openCloud({ kind: "openai-chat", baseUrl: scripted.url, queue });
    const first = cloud.call("m");
    await expect.poll(() => scripted.received.length).toBe(1);
    const { error } = await cloud.call("m");
    expect([error?.reason, error?.facts.upstream]).toEqual([ErrorReason.RATE_LIMITED, "up"]);
    release.resolve();
    await first;
    await cloud.close();
    await scripted.close();
    expect(scripted.received).toHaveLength(1);
  });
});
