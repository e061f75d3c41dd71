import { expect, it, vi } from "vitest";
import { readInference } from "../../src/store/read-inference.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Starts a stream whose answer takes `tokens` times 100 ms, and reads its id. */
async function startStream(service: TestService, tokens: number) {
  const response = await fetch(`${service.url}/v1/chat/completions`, {
    method: "POST",
    headers: service.headers,
    body: JSON.stringify({
      model: "attune/gpt-6-astra:sandbox-slow",
      messages: [{ role: "user", content: "a b c d e f g h" }],
      max_completion_tokens: tokens,
      stream: true,
    }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error("no stream came");
  let text = (await reader.read()).value ?? "";
  return {
    id: /"id":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? "",
    /** The whole text; rejects if the connection broke. */
    async rest(): Promise<string> {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += value;
      }
    },
  };
}

it("lets a stream end, takes no new connections meanwhile, and writes what is recorded", async () => {
  const service = await startTestService();
  const stream = await startStream(service, 10);
  const closing = service.stop();
  await vi.waitFor(() => expect(fetch(`${service.url}/healthz`)).rejects.toThrow(), { timeout: 1000 });
  const text = await stream.rest();
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  await closing;
  expect((await readInference(service.store, stream.id))?.row).toMatchObject({ status: "completed", outputTokens: 10 });
  await service.close();
});

it("breaks off what still runs after server.shutdownMs, and records it as it was", async () => {
  const service = await startTestService({ yaml: "server: { shutdownMs: 300 }\n" });
  const stream = await startStream(service, 500);
  const begin = performance.now();
  const [text] = await Promise.allSettled([stream.rest(), service.stop()]);
  expect(text.status).toBe("rejected");
  expect(performance.now() - begin).toBeGreaterThan(290);
  expect(performance.now() - begin).toBeLessThan(5000);
  const stored = await readInference(service.store, stream.id);
  expect(stored?.row).toMatchObject({ status: "canceled", finishReason: null });
  expect(stored?.content?.output.content.length).toBe(1);
  await service.close();
});

it("says at /readyz that it serves", async () => {
  const service = await startTestService();
  const response = await fetch(`${service.url}/readyz`);
  expect([response.status, await response.json()]).toEqual([
    200,
    { status: "ready", instance: expect.any(String), checks: { database: "ok", spool: "ok", process: "serving" } },
  ]);
  await service.close();
});
