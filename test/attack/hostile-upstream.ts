import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** Answers a request; `socket` takes bytes that are no answer of HTTP. */
export type Script = (response: ServerResponse, socket: Socket, request: IncomingMessage) => void | Promise<void>;

/** A server that plays all upstreams. Each request names its script in its text: `script N`. */
export interface HostileUpstream {
  readonly url: string;
  /** Sets what is answered to a request that names this number. */
  script(number: number, script: Script): void;
  forget(number: number): void;
  close(): Promise<void>;
}

/** Starts a hostile upstream on a free port of 127.0.0.1. */
export async function startHostileUpstream(): Promise<HostileUpstream> {
  const scripts = new Map<number, Script>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => {});
    response.on("error", () => {});
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const number = Number(/script (\d+)/.exec(Buffer.concat(chunks).toString("latin1"))?.[1]);
    const script = scripts.get(number);
    if (script === undefined) {
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no script"}}');
      return;
    }
    try {
      await script(response, request.socket, request);
    } catch {
      response.destroy();
    }
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    script: (number, script) => void scripts.set(number, script),
    forget: (number) => void scripts.delete(number),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
