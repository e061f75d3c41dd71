import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { type Hoard, type HoardTarget, untilAborted } from "./sender.ts";

const FEW = { sessions: 8, streams: 128 };
/** As many streams of a session as it may have. */
const MANY = { sessions: 32, streams: 256 };
const GENERATE = "/attune.inference.v1.InferenceService/Generate";

/** Attacks over HTTP/2, where one connection has many streams, and over gRPC. */
export const http2Hoards: readonly Hoard[] = [
  {
    name: "unfinished bodies over HTTP/2",
    run: (target, signal) =>
      open(target, { ...FEW, signal }, (session) => unfinished(session, target, "/v1/responses")),
  },
  {
    name: "unfinished messages over gRPC",
    run: (target, signal) => open(target, { ...FEW, signal }, (session) => unfinished(session, target, GENERATE)),
  },
  ...["/v1/responses", GENERATE].map((path) => ({
    name: `${MANY.sessions * MANY.streams} begun requests over ${path === GENERATE ? "gRPC" : "HTTP/2"}`,
    run: (target: HoardTarget, signal: AbortSignal) =>
      open(target, { ...MANY, signal }, (session) => {
        ask(session, target, path).write(Buffer.alloc(16, 0x20));
      }),
  })),
  {
    name: `${MANY.sessions * MANY.streams} refusals that are not read over HTTP/2`,
    run: (target, signal) =>
      open(target, { ...MANY, signal }, (session) => {
        ask(session, { ...target, key: "none" }, "/v1/responses").end(Buffer.alloc(60_000, 0x20));
      }),
  },
  {
    name: `${MANY.sessions * MANY.streams} answers that are not read over HTTP/2`,
    run: (target, signal) =>
      open(target, { ...MANY, signal }, (session) => {
        ask(session, target, "/v1/responses").end(JSON.stringify({ model: "attune/sand", input: "Hi", store: false }));
      }),
  },
];

function unfinished(session: ClientHttp2Session, target: HoardTarget, path: string): void {
  const stream = ask(session, target, path);
  const length = Buffer.alloc(5);
  length.writeUInt32BE(30_000_000, 1);
  if (path !== "/v1/responses") stream.write(length);
  for (let sent = 0; sent < 16; sent++) stream.write(Buffer.alloc(64 * 1024, 0x20));
}

/** Begins a request, of whose answer nothing is read: its stream has no room. */
function ask(session: ClientHttp2Session, { key }: HoardTarget, path: string): ClientHttp2Stream {
  const isRpc = path.startsWith("/attune.");
  const headers = { ":path": path, ":method": "POST", authorization: `Bearer ${key}`, te: "trailers" };
  const type = isRpc ? "application/grpc+json" : "application/json";
  const stream = session.request({ ...headers, "content-type": type });
  return stream.on("error", () => {}).pause();
}

async function open(
  { url }: HoardTarget,
  { sessions, streams, signal }: { readonly sessions: number; readonly streams: number; readonly signal: AbortSignal },
  begin: (session: ClientHttp2Session) => void,
): Promise<void> {
  for (let count = 0; count < sessions; count++) {
    const session = connect(url, { settings: { initialWindowSize: 0 }, maxSessionMemory: 1000 });
    session.on("error", () => {});
    signal.addEventListener("abort", () => session.destroy(), { once: true });
    for (let stream = 0; stream < streams; stream++) begin(session);
  }
  await untilAborted(signal);
}
