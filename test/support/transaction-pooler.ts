import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/** A pooler that has one session of a PostgreSQL, and lends it to its connections for a transaction each. */
export interface TransactionPooler {
  readonly port: number;
  close(): Promise<void>;
}

const START = { length: 4, type: 0 };
const MESSAGE = { length: 5, type: 1 };

const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

/** AuthenticationOk, a number of its own in place of the session's, and ReadyForQuery. */
const GREETING = Buffer.concat([
  message("R", Buffer.alloc(4)),
  message("K", Buffer.from([1, 2, 3, 4, 5, 6, 7, 8])),
  message("Z", Buffer.from("I")),
]);

/** Cuts bytes into messages of PostgreSQL's protocol; the first one of a connection has no type. */
function cutMessages(onMessage: (bytes: Buffer) => void, isClient: boolean): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = isClient;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const { length, type } = isFirst ? START : MESSAGE;
      if (rest.length < length) return;
      const size = rest.readInt32BE(type) + type;
      if (rest.length < size) return;
      isFirst = false;
      const next = rest.subarray(0, size);
      rest = rest.subarray(size);
      onMessage(next);
    }
  };
}

/** Starts a pooler before a server that asks for no password. What comes for nobody is dropped, as PgBouncer does. */
export async function startTransactionPooler(serverPort: number): Promise<TransactionPooler> {
  const waiting: { readonly client: Socket; readonly bytes: Buffer }[] = [];
  const sockets = new Set<Socket>();
  let server: Socket | undefined;
  let isReady = false;
  let holder: Socket | undefined;

  const lend = (): void => {
    if (!isReady || holder !== undefined) return;
    const next = waiting.shift();
    if (next === undefined) return;
    holder = next.client;
    server?.write(next.bytes);
  };
  const onAnswer = (bytes: Buffer): void => {
    const type = String.fromCharCode(bytes[0] ?? 0);
    if (isReady) holder?.write(bytes);
    if (type !== "Z") return;
    isReady = true;
    holder = undefined;
    lend();
  };
  const pooler = createServer((client) => {
    sockets.add(client);
    let isGreeted = false;
    let statement: Buffer[] = [];
    const onMessage = (bytes: Buffer): void => {
      if (!isGreeted) {
        isGreeted = true;
        if (server === undefined) {
          server = connect(serverPort, "127.0.0.1")
            .on("data", cutMessages(onAnswer, false))
            .on("error", () => {});
          server.write(bytes);
        }
        client.write(GREETING);
        return;
      }
      const type = String.fromCharCode(bytes[0] ?? 0);
      if (type === "X") return void client.end();
      statement.push(bytes);
      // A simple query, or what ends an extended one.
      if (type !== "Q" && type !== "S") return;
      waiting.push({ client, bytes: Buffer.concat(statement) });
      statement = [];
      lend();
    };
    client.on("data", cutMessages(onMessage, true)).on("error", () => {});
  });
  await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
  return {
    port: (pooler.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server?.destroy();
      await new Promise((resolve) => pooler.close(resolve));
    },
  };
}
