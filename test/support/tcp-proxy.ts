import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can be broken without either side being told. */
export interface TcpProxy {
  readonly port: number;
  /**
   * Passes nothing on any more, and closes nothing: what a cut cable does. New connections are taken, and stay silent.
   */
  freeze(): void;
  /** Breaks off all connections, and new ones at once: to a client the server has ended. */
  refuse(): void;
  /** Passes on again what new connections send; those from before stay silent. */
  thaw(): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of the loopback address. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  let refusing = false;
  const server = createServer((client) => {
    sockets.add(client.on("error", () => {}));
    if (refusing) return void client.destroy();
    if (frozen) return void client.pause();
    const upstream = connect(targetPort, "127.0.0.1");
    sockets.add(upstream.on("error", () => client.destroy()));
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    refuse() {
      refusing = true;
      for (const socket of sockets) socket.destroy();
    },
    thaw() {
      frozen = false;
      refusing = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
