import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { openaiChatProtocol } from "../../src/formats/chat/protocol.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { createHubInput } from "../../src/hub/input.ts";
import type { Upstream } from "../../src/hub/upstream.ts";
import { createHttpUpstream } from "../../src/upstream/http-upstream.ts";
import { stubModel } from "../support/stub-upstream.ts";

const ANSWER = JSON.stringify({
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
});
const HEAD = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${ANSWER.length}\r\n\r\n`;

/** What the server does with a request; `used` tells how many came on its connection before. */
type Behaviour = (socket: Socket, used: number) => void;

const answers: Behaviour = (socket) => socket.write(HEAD + ANSWER);

const onUsed =
  (kill: (socket: Socket) => void): Behaviour =>
  (socket, used) => {
    if (used === 0) answers(socket, used);
    else kill(socket);
  };

/** A server that speaks as much HTTP as it must, so that its connections can die at any moment. */
let server: Server;
let behave: Behaviour;
/** Length of the body of each request that came whole, in their order. */
let received: number[];
let connections: Set<Socket>;

beforeEach(async () => {
  received = [];
  connections = new Set();
  server = createServer((socket) => {
    connections.add(socket);
    let used = 0;
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (data) => {
      text += data.toString("latin1");
      const [head = "", body] = text.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
      if (body === undefined || body.length < length) return;
      text = "";
      received.push(length);
      behave(socket, used);
      used += 1;
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});

afterEach(async () => {
  for (const socket of connections) socket.destroy();
  server.close();
  await once(server, "close");
});

const timeouts = { connectMs: 40_000, firstByteMs: 40_000, idleMs: 40_000, totalMs: 40_000 };
const limits = { eventBytes: 1 << 20, eventValues: 10_000, answerBytes: 1 << 22 };

function upstreamOf(): Upstream {
  const { port } = server.address() as AddressInfo;
  return createHttpUpstream(openaiChatProtocol, { name: "up", baseUrl: `http://127.0.0.1:${port}`, timeouts, limits });
}

/** Asks for a whole answer; returns what went wrong. */
async function ask(upstream: Upstream, text: string): Promise<InferenceError | undefined> {
  const content = [{ kind: { case: "text" as const, value: { text } } }];
  const input = createHubInput({ messages: [{ role: Role.USER, content }] });
  const target = { model: stubModel, deployment: { upstream: "up", model: "m" }, streamed: false };
  const call = upstream.prepare(input, { ...target, inferenceId: "i", projectId: "p" });
  try {
    await call.send(() => {}, new AbortController().signal);
    // The connection is free for the next request.
    await turn();
    return undefined;
  } catch (thrown) {
    return InferenceError.from(thrown);
  }
}

/** Asks twice over one client, with a body of this size; returns the second outcome. */
async function askAgain(behaviour: Behaviour, bytes: number): Promise<InferenceError | undefined> {
  behave = behaviour;
  const upstream = upstreamOf();
  expect(await ask(upstream, "x")).toBeUndefined();
  const outcome = await ask(upstream, "x".repeat(bytes));
  await upstream.close?.();
  return outcome;
}

const BODIES = [10, 500_000];
const DEATHS: [string, (socket: Socket) => void][] = [
  ["is closed", (socket) => socket.end()],
  ["is reset", (socket) => socket.resetAndDestroy()],
];

describe("a connection that was kept open and is dead when the next request is sent", () => {
  for (const [death, kill] of DEATHS) {
    it.each(BODIES)(`is replaced by a new one if it ${death}, with a body of %i bytes`, async (bytes) => {
      expect(await askAgain(onUsed(kill), bytes)).toBeUndefined();
      const [first, second, third] = received;
      expect(received).toHaveLength(3);
      expect(second).toBeGreaterThan((first ?? 0) + bytes - 2);
      expect(third).toBe(second);
      expect(connections.size).toBe(2);
    });

    it(`is replaced once, if the new one ${death} too`, async () => {
      let killed = 0;
      const outcome = await askAgain((socket, used) => {
        if (received.length === 1) answers(socket, used);
        else {
          killed += 1;
          kill(socket);
        }
      }, 10);
      expect(outcome?.reason).toBe(ErrorReason.UPSTREAM_UNREACHABLE);
      expect(killed).toBe(2);
    });

    it(`is not replaced if it ${death} within the head of an answer`, async () => {
      const outcome = await askAgain(
        onUsed((socket) => socket.write("HTTP/1.1 200 OK\r\nconte", () => kill(socket))),
        10,
      );
      expect(outcome?.retryable).toBe(true);
      expect(received).toHaveLength(2);
    });

    it(`is not replaced if it ${death} within the body of an answer`, async () => {
      const outcome = await askAgain(
        onUsed((socket) => socket.write(HEAD + ANSWER.slice(0, 9), () => kill(socket))),
        10,
      );
      expect(outcome).toMatchObject({
        reason: ErrorReason.STREAM_INTERRUPTED,
        message: "the upstream interrupted its answer",
      });
      expect(received).toHaveLength(2);
    });

    it(`is not replaced if it was new and ${death}`, async () => {
      behave = kill;
      const upstream = upstreamOf();
      expect(await ask(upstream, "x")).toMatchObject({ reason: ErrorReason.UPSTREAM_UNREACHABLE });
      await upstream.close?.();
      expect(received).toHaveLength(1);
    });
  }
});
