import { afterAll, beforeAll, expect, it } from "vitest";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService, yamlFor } from "../support/service.ts";
import { FRAMES } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  service = await startTestService({ yaml: yamlFor(upstream.url) });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

it.each(["text/plain; charset=utf-8", "application/octet-stream"])(
  "reads an answer that says it is %s, which was paid for",
  async (type) => {
    const headers = { "content-type": type };
    upstream.answer({ streamed: { headers, steps: FRAMES.chat.text }, whole: { headers, steps: [WHOLES.chat.text] } });
    const before = upstream.received.length;
    for (const stream of [false, true]) {
      const body = { model: "attune/chatty", messages: [{ role: "user", content: "Hello" }], stream };
      const answer = await fetch(`${service.url}/v1/chat/completions`, {
        method: "POST",
        headers: service.headers,
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain(stream ? "data: [DONE]" : '"finish_reason":"stop"');
    }
    expect(upstream.received.length - before).toBe(2);
  },
);
