import { expect, it } from "vitest";
import { readInference } from "../support/read-inference.ts";
import { FORMATS, PATH } from "../support/sdk-calls.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

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
  await waitFor(() => expect(fetch(`${service.url}/healthz`)).rejects.toThrow());
  const text = await stream.rest();
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  await closing;
  expect((await readInference(service.store, stream.id))?.row).toMatchObject({ status: "completed", outputTokens: 10 });
  await service.close();
});

const SHORT = "server: { shutdownMs: 300 }\n";

it("breaks off what still runs after server.shutdownMs, with an error of its format, and records it as it was", async () => {
  const service = await startTestService({ yaml: SHORT });
  const stream = await startStream(service, 500);
  const begin = performance.now();
  const [text] = await Promise.all([stream.rest(), service.stop()]);
  expect(text).toMatch(
    /data: \{"error":\{"message":"the service is stopping, and interrupted the answer: send the request again".*\n\n$/,
  );
  expect(performance.now() - begin).toBeGreaterThan(290);
  expect(performance.now() - begin).toBeLessThan(5000);
  const stored = await readInference(service.store, stream.id);
  expect(stored?.row).toMatchObject({ status: "failed", finishReason: null });
  expect(stored?.content?.output.content.length).toBe(1);
  await service.close();
});

it("ends the streams of every format as that format has it, and whole answers with 503", async () => {
  const service = await startTestService({ yaml: SHORT });
  const model = "attune/claude-sonnet-5-5:sandbox-slow";
  const prompt = "a b c d e f g h i j k l m n o p q r s t u v w x y z ".repeat(4);
  const call = async (format: (typeof FORMATS)[number], stream: boolean): Promise<[number, string]> => {
    const asked =
      format === "responses" ? { input: prompt } : { messages: [{ role: "user", content: prompt }], max_tokens: 500 };
    const body = JSON.stringify({ model, stream, ...asked });
    const response = await fetch(service.url + PATH[format], { method: "POST", headers: service.headers, body });
    return [response.status, await response.text()];
  };
  const answers = Promise.all(FORMATS.map((format) => call(format, true)));
  const whole = call("chat", false);
  await waitFor(async () => {
    const page = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(page).toContain("attune_inferences_in_flight 4\n");
  });
  await service.stop();
  const [chat, responses, messages] = await answers;
  expect(chat?.[1]).toMatch(/data: \{"error":\{.*\n\n$/);
  expect(responses?.[1]).toMatch(/event: error\n.*\n\nevent: response\.failed\n.*\n\ndata: \[DONE\]\n\n$/);
  expect(messages?.[1]).toMatch(/event: error\ndata: \{"type":"error".*\n\n$/);
  expect((await whole)[0]).toBe(503);
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
