import { expect, it } from "vitest";
import { bodyOf, FORMATS, PATH } from "../support/sdk-calls.ts";
import { MODEL, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";

/** The silence was looked at once in each period, so that one that began in its middle could last almost two. */
it("says that a stream is alive after one period of silence, wherever in the stream that began", async () => {
  const fixture = await startSdkFixture({ heartbeatMs: 400 });
  try {
    const [head = "", first = "", ...rest] = FRAMES.chat.text;
    for (const format of FORMATS) {
      // The silence begins when the service has the second piece, whatever held that up.
      const heard = Promise.withResolvers<void>();
      const steps = [head, { waitMs: 150 }, first, { until: heard.promise }, { waitMs: 550 }, ...rest];
      fixture.upstream.answer({ headers: UPSTREAM_HEADERS, steps });
      const response = await fetch(fixture.service.url + PATH[format], {
        method: "POST",
        headers: fixture.service.headers,
        body: JSON.stringify({ ...bodyOf(format, MODEL.chat), stream: true }),
      });
      let text = "";
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += piece;
        if (text.includes("Grüße")) heard.resolve();
      }
      const beat = format === "messages" ? "event: ping\n" : ": keep-alive\n";
      // Only what came after the second piece counts: the call itself may take its time to begin.
      const [, silence = ""] = text.split("Grüße");
      expect([format, silence.includes(beat)]).toEqual([format, true]);
    }
  } finally {
    await fixture.close();
  }
});
