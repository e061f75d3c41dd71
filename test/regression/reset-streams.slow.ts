import http2 from "node:http2";
import net from "node:net";
import { queryObjects } from "node:v8";
import { expect, it, vi } from "vitest";
import { FLAG, h2Frame, headerBlock, PREFACE, settings, TYPE, word } from "../attack/http/h2-frames.ts";
import { startTestService } from "../support/service.ts";

const CANCEL = 8;
/** To look for objects in the heap takes seconds, and on a machine that does much else a minute. */
const PATIENT_MS = 240_000;

it("keeps nothing of HTTP/2 streams that are reset in the moment in which they come", {
  timeout: 2 * PATIENT_MS,
}, async () => {
  const kept = () => Number(queryObjects(http2.Http2ServerResponse as unknown as new () => unknown));
  // Those of other files in this process.
  const others = kept();
  const service = await startTestService();
  const head = headerBlock([
    [":method", "GET"],
    [":scheme", "http"],
    [":path", "/v1/models"],
    [":authority", "a"],
  ]);
  const streams = Array.from({ length: 50 }, (_, index) => [
    h2Frame(TYPE.headers, FLAG.endHeaders | FLAG.endStream, index * 2 + 1, head),
    h2Frame(TYPE.reset, 0, index * 2 + 1, word(CANCEL)),
  ]);
  const socket = net.connect(Number(new URL(service.url).port), "127.0.0.1").resume();
  // The answer to a ping says that what was sent before it was read.
  socket.write(Buffer.concat([PREFACE, settings(), ...streams.flat(), h2Frame(TYPE.ping, 0, 0, Buffer.alloc(8, 7))]));
  await new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      if (chunk.includes(Buffer.alloc(8, 7))) resolve();
    });
  });
  socket.destroy();
  await vi.waitFor(() => expect(kept()).toBeLessThanOrEqual(others), { timeout: PATIENT_MS, interval: 300 });
  await service.close();
});
