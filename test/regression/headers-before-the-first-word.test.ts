import { expect, it } from "vitest";
import { bodyOf, FORMATS, PATH } from "../support/sdk-calls.ts";
import { MODEL, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";

/** A Chat stream says nothing before its first block, for which a model that thinks may take minutes. */
it("sends the headers of a stream as soon as the upstream has begun to answer", async () => {
  const fixture = await startSdkFixture({ heartbeatMs: 60_000 });
  try {
    const [head = ""] = FRAMES.chat.text;
    fixture.upstream.answer({ headers: UPSTREAM_HEADERS, steps: [head], hang: true });
    for (const format of FORMATS) {
      const response = await fetch(fixture.service.url + PATH[format], {
        method: "POST",
        headers: fixture.service.headers,
        body: JSON.stringify({ ...bodyOf(format, MODEL.chat), stream: true }),
        signal: AbortSignal.timeout(10_000),
      });
      expect([format, response.status, response.headers.get("attune-served-by")]).toEqual([format, 200, "chat"]);
      await response.body?.cancel();
    }
  } finally {
    await fixture.close();
  }
}, 40_000);
