import { expect, it } from "vitest";
import { bodyOf, FORMATS, PATH } from "../support/sdk-calls.ts";
import { MODEL, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";

/** The silence was looked at once in each period, so that one that began in its middle could last almost two. */
it("says that a stream is alive after one period of silence, wherever in the stream that began", async () => {
  const fixture = await startSdkFixture({ heartbeatMs: 400 });
  try {
    const [head = "", first = "", ...rest] = FRAMES.chat.text;
    const steps = [head, { waitMs: 150 }, first, { waitMs: 550 }, ...rest];
    for (const format of FORMATS) {
      fixture.upstream.answer({ headers: UPSTREAM_HEADERS, steps });
      const response = await fetch(fixture.service.url + PATH[format], {
        method: "POST",
        headers: fixture.service.headers,
        body: JSON.stringify({ ...bodyOf(format, MODEL.chat), stream: true }),
      });
      const text = await response.text();
      const beat = format === "messages" ? "event: ping\n" : ": keep-alive\n";
      // Only what came after the second piece counts: the call itself may take its time to begin.
      const [, silence = ""] = text.split("Grüße");
      expect([format, silence.includes(beat)]).toEqual([format, true]);
    }
  } finally {
    await fixture.close();
  }
});
