import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { type PeerCertificate, TLSSocket } from "node:tls";
import type { Session } from "./open-on-host.ts";

/** Opens a session with the first packet of a client. */
export type OpenSession = (startup: Buffer, signal: AbortSignal) => Promise<Session>;

/**
 * The socket of a client of `pg` that goes where the first packet is answered: on which host, and whether over TLS, is
 * only known then. The client itself knows nothing of TLS and other hosts; its own TLS has no way back where a server
 * takes none.
 */
export class ServerSocket extends Duplex {
  readonly #open: OpenSession;
  readonly #closing = new AbortController();
  #socket: Socket | undefined;

  constructor(open: OpenSession) {
    super();
    this.#open = open;
  }

  /** Asks for the first packet, as if the connection were there. */
  connect(): this {
    process.nextTick(() => this.emit("connect"));
    return this;
  }

  /** Part of what `pg` calls; each connection is made so. */
  setNoDelay(): this {
    return this;
  }

  /** Part of what `pg` calls; each connection is made so. */
  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#socket?.ref();
    return this;
  }

  unref(): this {
    this.#socket?.unref();
    return this;
  }

  /** Returns the certificate of the server, to which `pg` binds a password; it is empty without TLS. */
  getPeerCertificate(): PeerCertificate | object {
    return this.#socket instanceof TLSSocket ? this.#socket.getPeerCertificate() : {};
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const socket = this.#socket;
    if (socket === undefined) {
      this.#start(chunk).then(() => done(), done);
    } else if (socket.write(chunk)) done();
    else socket.once("drain", () => done());
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const all = chunks.map(({ chunk }) => chunk);
    // The first packet goes alone: it may be sent to several hosts.
    const [first, ...rest] = this.#socket === undefined ? all : [Buffer.concat(all)];
    this._write(first ?? Buffer.alloc(0), "utf8", (error) => {
      if (error || rest.length === 0) done(error);
      else this._write(Buffer.concat(rest), "utf8", done);
    });
  }

  override _read(): void {
    this.#socket?.resume();
  }

  override _final(done: () => void): void {
    if (this.#socket === undefined) done();
    else this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#closing.abort();
    this.#socket?.destroy();
    done(error);
  }

  async #start(startup: Buffer): Promise<void> {
    const { socket, reply } = await this.#open(startup, this.#closing.signal);
    if (this.destroyed) return void socket.destroy();
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.on("error", (error) => this.destroy(error));
    socket.on("end", () => this.push(null));
    socket.on("close", () => this.destroy());
    this.push(reply);
    // The refusal of an earlier way, whose connection is over.
    if (socket.destroyed) this.once("end", () => this.destroy()).push(null);
    else socket.resume();
  }
}
