import net, { type AddressInfo, type Socket } from "node:net";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { drainBody } from "../../src/server/drain-body.ts";
import { waitUntil } from "../support/wait.ts";

const LINGER_MS = 100;

let app: FastifyInstance;
let socket: Socket;
let text: string;

beforeEach(async () => {
  app = fastify();
  drainBody(app, LINGER_MS);
  app.post("/refused", { onRequest: async (_request, reply) => reply.code(401).send("no") }, async () => "");
  app.get("/", async () => "yes");
  await app.listen({ port: 0, host: "127.0.0.1" });
  text = "";
  socket = net.connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket
    .on("error", () => {})
    .on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
  socket.write("POST /refused HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 20\r\n\r\nhalf of it");
  await waitUntil(() => text.startsWith("HTTP/1.1 401"));
});

afterEach(async () => {
  socket.destroy();
  await app.close();
});

describe("drainBody()", () => {
  it("ends the connection of a client that goes on sending what nobody reads", async () => {
    await new Promise((resolve) => socket.once("close", resolve));
  });

  it("leaves a connection to its next requests once the body is whole", async () => {
    socket.write("+ the rest");
    await new Promise((resolve) => setTimeout(resolve, 3 * LINGER_MS));
    expect(socket.destroyed).toBe(false);
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await waitUntil(() => text.endsWith("yes"));
  });
});
