import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicLookup } from "../../src/lib/public-address.ts";
import { createWebhookClient } from "../../src/upstream/webhook-client.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";

let upstream: ScriptedUpstream;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
});
afterAll(() => upstream.close());

describe("createWebhookClient", () => {
  it("has no clock of its own beside the signal of a call, which would say something else of the same deadline", async () => {
    const client = createWebhookClient({ url: upstream.url, deadlineMs: 20 });
    upstream.answer({ steps: [{ waitMs: 60 }, '{"pass":', { waitMs: 60 }, "true}"] });
    const { signal } = new AbortController();
    expect(await client.post({ headers: {}, body: "{}" }, signal)).toEqual({ status: 200, text: '{"pass":true}' });
    await client.close();
  });

  it("ends a call with its signal", async () => {
    const client = createWebhookClient({ url: upstream.url, deadlineMs: 40_000 });
    upstream.answer({ steps: [" "], hang: true });
    const stop = new AbortController();
    const posted = client.post({ headers: {}, body: "{}" }, stop.signal);
    await expect.poll(() => upstream.received.at(-1)?.sent.bytes).toBe(1);
    stop.abort();
    await expect(posted).rejects.toMatchObject({ name: "InferenceError" });
    await upstream.received.at(-1)?.aborted;
    await client.close();
  });

  it("connects to no private address by a lookup that allows none", async () => {
    const before = upstream.received.length;
    const url = upstream.url.replace("127.0.0.1", "localhost");
    const client = createWebhookClient({ url, deadlineMs: 40_000 }, publicLookup);
    const { signal } = new AbortController();
    const posted = client.post({ headers: {}, body: "{}" }, signal);
    await expect(posted).rejects.toMatchObject({ cause: { name: "PrivateAddressError" } });
    expect(upstream.received).toHaveLength(before);
    await client.close();
  });
});
