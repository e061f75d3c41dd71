import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** The path of a host below which a proxy has Attune. */
export const BASE_PATH = "/tools/attune";

/** Proxies by what they do with the path: nginx with and without a path in `proxy_pass`, or Caddy's two directives. */
export const PATH_PROXIES = [
  { name: "takes the path off", takesOff: true },
  { name: "leaves the path", takesOff: false },
] as const;

/** A proxy that has one service below a path of its host, and no other service. */
export interface PathProxy {
  /** Address of the service, with its path. */
  readonly url: string;
  /** Has requests go to a service. */
  serve(target: string): void;
  close(): Promise<void>;
}

/** Starts a proxy that answers 404 to whatever is not below the path. */
export async function startPathProxy(takesOff: boolean): Promise<PathProxy> {
  let target = "";
  const forward = ({ url = "/", method = "GET", headers }: IncomingMessage) =>
    request(new URL(target), { method, headers, path: takesOff ? url.slice(BASE_PATH.length) : url });
  const isBelow = ({ url = "/" }: IncomingMessage) => url.startsWith(`${BASE_PATH}/`);
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    if (!isBelow(incoming)) return response.writeHead(404).end();
    const outgoing = forward(incoming).once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.once("error", () => response.destroy());
    return incoming.pipe(outgoing);
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Socket) => {
    const outgoing = forward(incoming);
    outgoing.once("upgrade", (answer, behind: Socket) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
      behind.pipe(socket).pipe(behind);
      for (const [one, other] of [
        [behind, socket],
        [socket, behind],
      ] as const)
        one.once("error", () => other.destroy()).once("close", () => other.destroy());
    });
    outgoing.once("response", () => socket.destroy()).once("error", () => socket.destroy());
    outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE_PATH}`,
    serve(url) {
      target = url;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
