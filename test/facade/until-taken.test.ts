import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { untilTaken } from "../../src/facade/until-taken.ts";

it.each([false, true])("resolves when the client has taken what was written, or has gone: %s", async (goes) => {
  const server = createServer((_request, raw) => {
    raw.write("x".repeat(4_000_000));
    server.emit("written", { raw, taken: untilTaken(raw) });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const [{ raw, taken }] = await once(server, "written");
  expect(taken).toBeInstanceOf(Promise);
  if (goes) socket.destroy();
  else socket.resume();
  await taken;
  expect(untilTaken(raw)).toBeUndefined();
  raw.end();
  server.close();
});
