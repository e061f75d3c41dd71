import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";

/** The way to an upstream; what is absent is the plain one. */
export interface NetworkPath {
  /** An HTTP proxy that is asked for a tunnel; it may have a name and a password. */
  readonly proxy?: string | undefined;
  /** The authorities that are trusted in place of the system's, and the certificate of this client, as PEM. */
  readonly tls?:
    | { readonly ca?: string | undefined; readonly cert?: string | undefined; readonly key?: string | undefined }
    | undefined;
  /** Resolves names in place of the system. */
  readonly lookup?: LookupFunction | undefined;
}

/** Returns undici's setting of how to connect: directly, or through the tunnel of a proxy. */
export function createConnector(
  { proxy, tls, lookup }: NetworkPath,
  timeoutMs: number,
): buildConnector.BuildOptions | buildConnector.connector {
  const options = { timeout: timeoutMs, ...tls, ...(lookup && { lookup }) };
  if (proxy === undefined) return options;
  const secure = buildConnector(options);
  const address = new URL(proxy);
  return (target, callback) => {
    const port = target.port || (target.protocol === "https:" ? "443" : "80");
    openTunnel(address, `${target.hostname}:${port}`, timeoutMs).then(
      (socket) => {
        if (target.protocol !== "https:") return callback(null, socket);
        try {
          secure({ ...target, httpSocket: socket }, callback);
        } catch (thrown) {
          // Certificates that TLS does not take.
          socket.destroy();
          callback(thrown instanceof Error ? thrown : new Error(String(thrown)), null);
        }
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** Returns what sends single requests on a way that is not the plain one. */
export function createDispatcher(path: NetworkPath, timeoutMs: number): Dispatcher | undefined {
  if (path.proxy === undefined && path.tls === undefined) return undefined;
  return new Agent({ connect: createConnector(path, timeoutMs) });
}

/** Asks a proxy for a connection to `target`. Rejects with an error whose code says what is wrong. */
function openTunnel(proxy: URL, target: string, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const send = proxy.protocol === "https:" ? httpsRequest : httpRequest;
    const connecting = send({
      method: "CONNECT",
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port,
      path: target,
      headers: { host: target, ...authorizationOf(proxy) },
      agent: false,
    });
    const timer = setTimeout(() => connecting.destroy(failure("PROXY_TIMEOUT")), timeoutMs);
    connecting.once("close", () => clearTimeout(timer));
    connecting.once("error", reject);
    connecting.once("response", ({ statusCode }) => connecting.destroy(failure(`PROXY_STATUS_${statusCode}`)));
    connecting.once("connect", ({ statusCode }, socket: Socket, head) => {
      clearTimeout(timer);
      if (statusCode !== 200) {
        socket.destroy();
        return reject(failure(`PROXY_STATUS_${statusCode}`));
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    connecting.end();
  });
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

function failure(code: string): Error {
  return Object.assign(new Error("the proxy doesn't provide a connection"), { code });
}
