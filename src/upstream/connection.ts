import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type buildConnector, Client, type Dispatcher, Pool } from "undici";

/** A connection to an upstream, as those know it who send requests on it. */
export class Connection {
  /** Let go of when it is closed: a client knows its last connection for as long as it has no other. */
  #socket: Socket | undefined;
  #bytesAtClose = 0;
  readonly #isShared: boolean;
  /** True if it has brought an answer. */
  hasAnswered = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once("close", () => {
      this.#bytesAtClose = socket.bytesRead;
      this.#socket = undefined;
    });
    this.#isShared = socket instanceof TLSSocket && socket.alpnProtocol === "h2";
  }

  /** Bytes that have come on it; always 0 for HTTP/2, where bytes come that are of no answer. */
  get bytesRead(): number {
    return this.#isShared ? 0 : (this.#socket?.bytesRead ?? this.#bytesAtClose);
  }
}

/** Something that wants to know the connection that its request is sent on. */
export interface ConnectionUser {
  /** Called before the request is sent; `current` returns the connection as of the moment when it is called. */
  sentOver(current: () => Connection | undefined): void;
}

/** Creates the connections to one origin. Each tells those who use it of itself. */
export function createPool(origin: string | URL, options: Pool.Options): Dispatcher {
  return new Pool(origin, { ...options, factory: (url, given) => new TellingClient(url, given) });
}

/** Sends one request after another over its connection, and opens another when that is closed. */
class TellingClient extends Client {
  readonly #current: () => Connection | undefined;

  constructor(origin: URL, options: Client.Options, state: { connection?: Connection } = {}) {
    super(origin, { ...options, connect: noting(options.connect, state) });
    this.#current = () => state.connection;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (isUser(handler)) handler.sentOver(this.#current);
    return super.dispatch(options, handler);
  }
}

/** The pool has made a function of whatever it was told of how to connect. */
function noting(connect: Client.Options["connect"], state: { connection?: Connection }): buildConnector.connector {
  if (typeof connect !== "function") throw new TypeError("the pool does not say how to connect");
  return (options, callback) =>
    connect(options, (...[error, socket]: buildConnector.CallbackArgs) => {
      if (error !== null) return callback(error, null);
      state.connection = new Connection(socket);
      callback(null, socket);
    });
}

function isUser(handler: Dispatcher.DispatchHandler): handler is Dispatcher.DispatchHandler & ConnectionUser {
  return "sentOver" in handler;
}
