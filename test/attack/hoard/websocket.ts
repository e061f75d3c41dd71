import { type Hoard, type HoardTarget, headThen, type NextBytes, sendOverMany } from "./sender.ts";

/** As many as one key may have. */
const SOCKETS = 256;
const CHUNK = Buffer.alloc(64 * 1024, 0x20);
const MIB = 2 ** 20;
const FIN = 0x80;
const TEXT = 1;

/** Attacks over WebSocket connections. */
export const websocketHoards: readonly Hoard[] = [
  {
    name: `${SOCKETS} unfinished frames over WebSocket`,
    run: (target, signal) =>
      open(target, () => headThen(frameHead(FIN | TEXT, 32 * MIB - 64), CHUNK, 16 * 8), { signal, reads: true }),
  },
  {
    name: "unfinished messages of small fragments over WebSocket",
    run(target, signal) {
      const fragments = repeat(Buffer.concat([frameHead(0, 1), Buffer.from("x")]), 4096);
      return open(target, () => headThen(Buffer.concat([frameHead(TEXT, 1), Buffer.from("{")]), fragments, 16), {
        signal,
        reads: true,
      });
    },
  },
  {
    name: "small frames over WebSocket to one that does not read",
    run: (target, signal) => open(target, () => headThen(Buffer.alloc(0), SMALL, 400), { signal }),
  },
  {
    name: "small frames over WebSocket",
    run: (target, signal) => open(target, () => headThen(Buffer.alloc(0), SMALL, 400), { signal, reads: true }),
  },
  {
    name: "pings over WebSocket to one that does not read",
    run(target, signal) {
      const ping = Buffer.concat([frameHead(FIN | 9, 100), Buffer.alloc(100)]);
      const pings = repeat(ping, 640);
      return open(target, () => headThen(Buffer.alloc(0), pings, 400), { signal });
    },
  },
  {
    name: "echoes over WebSocket to one that does not read",
    run(target, signal) {
      const asked = frame(warmUp(MIB));
      return open(target, () => headThen(Buffer.alloc(0), asked, 32), { signal });
    },
  },
  {
    name: "answers over WebSocket to one that does not read",
    run(target, signal) {
      const model = "attune/sand:sandbox-long=4000";
      const asked = JSON.stringify({ type: "response.create", model, input: "Hi", store: false });
      const frames = repeat(frame(asked), 8);
      return open(target, () => headThen(Buffer.alloc(0), frames, 40), { signal });
    },
  },
];

const SMALL = repeat(frame("{}"), 8192);

function warmUp(bytes: number): string {
  const instructions = "y".repeat(bytes);
  return JSON.stringify({ type: "response.create", model: "attune/sand", generate: false, instructions, input: "Hi" });
}

/** A frame that its sender has masked with zeros, so that its payload is as it is. */
export function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([frameHead(FIN | TEXT, payload.length), payload]);
}

function frameHead(first: number, length: number): Buffer {
  const head = Buffer.alloc(length < 126 ? 6 : length < 65_536 ? 8 : 14);
  head[0] = first;
  if (length < 126) head[1] = 0x80 | length;
  else if (length < 65_536) {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 0x80 | 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return head;
}

function repeat(bytes: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => bytes));
}

function open(
  target: HoardTarget,
  make: () => NextBytes,
  options: { readonly signal: AbortSignal; readonly reads?: boolean },
): Promise<void> {
  const upgrade = Buffer.from(
    `GET /v1/responses HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${target.key}\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  return sendOverMany(
    SOCKETS,
    target,
    () => {
      const rest = make();
      let isUpgraded = false;
      return () => {
        if (isUpgraded) return rest();
        isUpgraded = true;
        return upgrade;
      };
    },
    options,
  );
}
