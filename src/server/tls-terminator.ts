import type net from "node:net";
import tls from "node:tls";

/** The certificate of a port, in PEM. */
interface TlsSettings {
  /** The certificate, and those between it and its authority. */
  readonly cert: string;
  readonly key: string;
  /** The authority whose certificates clients have to show; undefined if they need none. */
  readonly clientCa?: string | undefined;
}

/** The time limit of a handshake. */
const HANDSHAKE_MS = 10_000;

/** Ends TLS of connections that others accept. Clients say by ALPN whether they speak HTTP/2. */
export class TlsTerminator {
  readonly #server: tls.Server;
  readonly #isMutual: boolean;
  /** Connections whose handshake is under way, by their addresses. */
  readonly #pending = new Map<string, net.Socket>();

  constructor(settings: TlsSettings) {
    this.#isMutual = settings.clientCa !== undefined;
    this.#server = tls.createServer({
      ...contextOf(settings),
      ALPNProtocols: ["h2", "http/1.1"],
      handshakeTimeout: HANDSHAKE_MS,
      requestCert: this.#isMutual,
      rejectUnauthorized: this.#isMutual,
    });
  }

  /** Hands on connections once they are secure, with the one below. */
  onSecure(take: (socket: tls.TLSSocket, below: net.Socket | undefined) => void): void {
    this.#server.on("secureConnection", (socket) => {
      const below = this.#pending.get(getAddresses(socket));
      this.#pending.delete(getAddresses(socket));
      take(socket, below);
    });
  }

  /** Begins the handshake of a connection. */
  accept(socket: net.Socket): void {
    const addresses = getAddresses(socket);
    this.#pending.set(addresses, socket);
    socket.once("close", () => {
      if (this.#pending.get(addresses) === socket) this.#pending.delete(addresses);
    });
    this.#server.emit("connection", socket);
  }

  /**
   * Shows another certificate from now on; connections that are open stay as they are. Whether clients have to show one
   * does not change. Throws an Error for a pair that does not fit.
   */
  replace(settings: TlsSettings): void {
    this.#server.setSecureContext(contextOf(settings));
  }
}

function contextOf({ cert, key, clientCa }: TlsSettings): tls.SecureContextOptions {
  return { cert, key, ...(clientCa !== undefined && { ca: clientCa }) };
}

function getAddresses({ remoteAddress, remotePort, localAddress }: net.Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
