import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { frame } from "../attack/hoard/websocket.ts";
import { type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { waitFor } from "../support/wait.ts";

/**
 * One key took 3.3 GB over WebSocket connections: frames that are not whole counted nowhere, and what its clients did
 * not read piled up.
 */
let fixture: SdkFixture;

const MIB = 2 ** 20;

beforeAll(async () => {
  const change = (yaml: string) => `server: { limits: { receivingBytes: ${4 * MIB} } }\n${yaml}`;
  fixture = await startSdkFixture({ change });
});

afterAll(() => fixture.close());

async function connect() {
  const headers = { authorization: `Bearer ${fixture.service.key}` };
  const socket = new WebSocket(`${fixture.service.url.replace("http", "ws")}/v1/responses`, { headers });
  let raw: NodeJS.WritableStream | undefined;
  socket.once("upgrade", (response) => {
    raw = response.socket;
  });
  const frames: Record<string, unknown>[] = [];
  socket.on("message", (data) => frames.push(JSON.parse(String(data))));
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  await once(socket, "open");
  return { socket, frames, closed, write: (bytes: Buffer) => raw?.write(bytes) };
}

describe("the memory of WebSocket connections", () => {
  it("counts what has come of a frame that is not whole with the bodies of its key", async () => {
    const first = await connect();
    first.write(frame("x".repeat(2 * MIB)).subarray(0, 0.7 * MIB));
    const second = await connect();
    second.write(frame("x".repeat(2 * MIB)).subarray(0, 0.7 * MIB));
    // Whichever was the first has what it was let have.
    expect(await Promise.race([first.closed, second.closed])).toBe(1013);
    const refused = [...first.frames, ...second.frames];
    expect(refused).toMatchObject([
      { type: "error", status: 429, error: { message: expect.stringContaining("bytes") } },
    ]);
    first.socket.terminate();
    second.socket.terminate();
    // And gives it back.
    await waitFor(async () => {
      const third = await connect();
      third.write(frame(`{"a":"${"x".repeat(0.7 * MIB)}"}`));
      await waitFor(() => expect(third.frames).toHaveLength(1));
      expect(third.frames).toMatchObject([{ status: 400, error: { param: "type" } }]);
      third.socket.close();
    });
  });

  it("counts each piece of a message that comes in fragments", async () => {
    const { closed, frames, write } = await connect();
    const [begin, piece] = [frame("x"), frame("x".repeat(65_000))];
    begin[0] = 0x01;
    piece[0] = 0x00;
    write(Buffer.concat([begin, ...Array.from({ length: 20 }, () => piece)]));
    expect(await closed).toBe(1013);
    expect(frames).toMatchObject([{ status: 429 }]);
  });

  it("answers frames of many requests in one read, in their order", async () => {
    const { socket, frames, write } = await connect();
    write(Buffer.concat(Array.from({ length: 5000 }, () => frame("{}"))));
    await waitFor(() => expect(frames).toHaveLength(5000));
    expect(new Set(frames.map(({ status }) => status))).toEqual(new Set([400, 429]));
    socket.close();
  });
});
