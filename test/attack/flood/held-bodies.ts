import { connect, type Socket } from "node:net";
import type { SentFeedback } from "./feedback.ts";

const BODY_BYTES = 30_000_000;
/** What is sent of each body; the rest never comes. */
const HELD_BYTES = 24_000_000;
const CHUNK = Buffer.alloc(64 * 1024, 0x20);
/** How long all of them may take. */
const LIMIT_MS = 20_000;

/** Bodies that are on their way in. */
export interface HeldBodies {
  /** What those were answered that were not let go on. */
  answers(): readonly SentFeedback[];
  end(): void;
}

/** Sends a large part of a body with each key, one after another, and holds those that the service takes. */
export async function holdBodies(port: number, keys: readonly string[]): Promise<HeldBodies> {
  const bodies: HeldBody[] = [];
  for (const key of keys) bodies.push(await holdOne(port, key));
  return {
    answers: () => bodies.map(({ answer }) => answer()).filter(({ status }) => status !== 0),
    end() {
      for (const { socket } of bodies) socket.destroy();
    },
  };
}

interface HeldBody {
  readonly socket: Socket;
  /** What came back; its status is 0 where nothing did. */
  answer(): SentFeedback;
}

async function holdOne(port: number, key: string): Promise<HeldBody> {
  const socket = connect(port, "127.0.0.1");
  let answered = "";
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LIMIT_MS);
    socket.once("close", resolve).once("close", () => clearTimeout(timer));
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        answered += chunk.toString();
        resolve();
      });
  });
  const head = ["POST /v1/messages HTTP/1.1", "host: a", "content-type: application/json", `x-api-key: ${key}`];
  socket.write(`${[...head, `content-length: ${BODY_BYTES}`].join("\r\n")}\r\n\r\n`);
  for (let sent = 0; sent < HELD_BYTES && answered === "" && socket.writable; sent += CHUNK.length) {
    if (socket.write(CHUNK)) continue;
    const drained = new Promise<void>((resolve) => socket.once("drain", resolve));
    await Promise.race([drained, over]);
  }
  const answer = (): SentFeedback => ({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(answered)?.[1] ?? 0), text: answered });
  return { socket, answer };
}
