import { chmodSync, closeSync, constants, openSync, readdirSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { isUuid } from "../../lib/ids.ts";
import type { Log } from "../types/log.ts";
import type { BusListener, MessageBus } from "./message-bus.ts";

/** The options of a bus of sockets. */
interface SocketBusOptions {
  /** Folder of this process, named by its id; those of the others stand beside it. */
  readonly folder: string;
  readonly log: Log;
}

const SOCKET = "socket";
/** Longest path of a socket: 104 bytes with a zero at the end on macOS, 108 on Linux. */
const PATH_BYTES = 103;
/** The interval of the search for processes that were not met yet. */
const LOOK_MS = 5000;
/** Whoever sends a longer line is none of ours. */
const LINE_CHARACTERS = 64 * 1024;
/** A process that lets so much wait does not read. */
const WAITING_BYTES = 1024 * 1024;

/**
 * A bus of the processes of one host that share a spool: each listens on a socket in its folder, and each has a
 * connection to each other, on which it only sends. The rights of the folder say who may connect.
 */
export class SocketBus implements MessageBus {
  readonly name: string;
  readonly #options: SocketBusOptions;
  readonly #server: Server;
  /** Connections on which this process sends, by the name of the other. */
  readonly #peers = new Map<string, Socket>();
  /** Connections on which it hears. */
  readonly #heard = new Set<Socket>();
  #listener: BusListener | undefined;
  #looking: NodeJS.Timeout | undefined;
  #place: SocketPlace | undefined;
  #isClosing = false;

  constructor(options: SocketBusOptions) {
    this.name = basename(options.folder);
    this.#options = options;
    this.#server = createServer((socket) => this.#hear(socket)).unref();
  }

  get state(): "open" | "closed" {
    return this.#server.listening && !this.#isClosing ? "open" : "closed";
  }

  /** Starts the bus. If the system does not let it listen, that is logged, and peers are not heard. */
  start(listener: BusListener): void {
    this.#listener = listener;
    const { folder, log } = this.#options;
    const place = getPlace(folder);
    this.#place = place;
    this.#server.on("error", (error) =>
      log.warn({ err: error }, "messages of other processes on this host cannot be received"),
    );
    this.#server.listen(place.path, () => {
      // Whoever may write to the folder could do as much.
      chmodSync(join(folder, SOCKET), 0o600);
      listener.onOpen();
      this.#look();
      this.#looking = setInterval(() => this.#look(), LOOK_MS).unref();
    });
  }

  send(text: string, to?: string): void {
    for (const [name, socket] of this.#peers) {
      if (to !== undefined && name !== to) continue;
      socket.write(`${text}\n`);
      if (socket.writableLength > WAITING_BYTES) socket.destroy();
    }
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    clearInterval(this.#looking);
    // What was told last still goes out.
    for (const socket of this.#peers.values()) socket.destroySoon();
    for (const socket of this.#heard) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#place?.release();
  }

  #look(): void {
    try {
      for (const name of readdirSync(dirname(this.#options.folder))) this.#meet(name);
    } catch {
      // The folder is gone, and the spool says so.
    }
  }

  /** Connects to a process, if that is one and it is not yet known. */
  #meet(name: string): void {
    if (this.#isClosing || name === this.name || this.#peers.has(name) || !isUuid(name)) return;
    const place = getPlace(join(dirname(this.#options.folder), name));
    const socket = createConnection(place.path).unref();
    this.#peers.set(name, socket);
    let isMet = false;
    socket.once("connect", () => {
      isMet = true;
      this.#listener?.onMet(name);
    });
    // One that has ended, and one that is not yet there: the next look around tells.
    socket.on("error", () => {});
    socket.once("close", () => {
      place.release();
      this.#peers.delete(name);
      if (isMet && !this.#isClosing) this.#listener?.onLost(name);
    });
    // Goes out before all else, once there is a connection.
    socket.write(`${this.name}\n`);
  }

  /** The first line is the name of who sends, each other one a message. */
  #hear(socket: Socket): void {
    this.#heard.add(socket.unref());
    let isNamed = false;
    let rest = "";
    socket.on("error", () => {});
    socket.once("close", () => this.#heard.delete(socket));
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > LINE_CHARACTERS) socket.destroy();
      for (const line of lines) {
        if (isNamed) this.#listener?.onMessage(line);
        else this.#meet(line);
        isNamed = true;
      }
    });
  }
}

/** Path of the socket in a folder. */
interface SocketPlace {
  readonly path: string;
  /** To be called once nobody needs the path. */
  release(): void;
}

/** A path that is too long for the system has a short name on Linux: the folder as one of this process's open files. */
function getPlace(folder: string): SocketPlace {
  const path = join(folder, SOCKET);
  if (Buffer.byteLength(path) <= PATH_BYTES || process.platform !== "linux") return { path, release() {} };
  try {
    const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    return { path: `/proc/self/fd/${descriptor}/${SOCKET}`, release: () => closeSync(descriptor) };
  } catch {
    // The folder is gone: the system says so of the path.
    return { path, release() {} };
  }
}
