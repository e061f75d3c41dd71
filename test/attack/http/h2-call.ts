import { type ClientHttp2Session, connect, constants } from "node:http2";

/** What a session of this client may hold, in MB. */
const CLIENT_MEMORY_MB = 256;

/** What came back on a stream of HTTP/2. */
export interface H2Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly trailers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Code of a reset; undefined if the stream ended in order. */
  readonly reset: number | undefined;
}

/** A session of HTTP/2 with the service, opened when it is needed and again after it has ended. */
export class H2Session {
  readonly #url: string;
  #session: ClientHttp2Session | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a request and waits for all of its answer; undefined if there is none in time. */
  call(headers: Readonly<Record<string, string>>, body: Buffer, limitMs: number): Promise<H2Answer | undefined> {
    const session = this.#open();
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      let [answered, trailers]: Readonly<Record<string, string>>[] = [{}, {}];
      const stream = session.request({ ":method": "POST", ...headers });
      const timer = setTimeout(() => {
        resolve(undefined);
        stream.close(constants.NGHTTP2_CANCEL);
      }, limitMs);
      stream.on("response", (given) => {
        answered = texts(given);
      });
      stream.on("trailers", (given) => {
        trailers = texts(given);
      });
      stream.on("data", (chunk: Buffer) => parts.push(chunk));
      stream.on("error", () => {});
      stream.on("close", () => {
        clearTimeout(timer);
        const reset = stream.rstCode === 0 ? undefined : stream.rstCode;
        resolve({ headers: answered ?? {}, trailers: trailers ?? {}, body: Buffer.concat(parts), reset });
      });
      stream.end(body);
    });
  }

  close(): void {
    this.#session?.destroy();
    this.#session = undefined;
  }

  #open(): ClientHttp2Session {
    if (this.#session !== undefined && !this.#session.closed && !this.#session.destroyed) return this.#session;
    // With bodies of 31 MB on their way out, Node's own bound of 10 MB would have the client itself reset the stream of
    // an answer.
    const session = connect(this.#url, { maxSessionMemory: CLIENT_MEMORY_MB });
    session.on("error", () => {});
    this.#session = session;
    return session;
  }
}

function texts(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
