/** An answer of HTTP/1.1, as its bytes said. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; of a name that came several times, all values joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** What came behind a body of chunks. */
  readonly trailers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether an answer 100 Continue came before it. */
  readonly continued: boolean;
  /** Whether the body came whole by its own framing. */
  readonly whole: boolean;
}

/** What bytes of a connection hold: an answer and where it ends, or nothing whole yet. */
export interface Read {
  readonly answer: Answer;
  readonly end: number;
}

/**
 * Reads the first answer in `bytes`; undefined while it is not whole. `ended` says that nothing more comes, which ends
 * a body without length. Throws an Error for bytes that are no answer.
 */
export function readAnswer(bytes: Buffer, { method, ended }: { method: string; ended: boolean }): Read | undefined {
  let at = 0;
  let continued = false;
  for (;;) {
    const headEnd = bytes.indexOf("\r\n\r\n", at);
    if (headEnd < 0) {
      if (ended && bytes.length > at) throw new Error(`the answer ends in its head: ${quote(bytes.subarray(at))}`);
      return undefined;
    }
    const { status, headers } = readHead(bytes.toString("latin1", at, headEnd));
    if (status >= 200) return readBody(bytes, { status, headers, continued, start: headEnd + 4, method, ended });
    continued ||= status === 100;
    at = headEnd + 4;
  }
}

function readHead(text: string): { status: number; headers: Record<string, string> } {
  const [first = "", ...lines] = text.split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
  if (!(status >= 100)) throw new Error(`the answer does not begin as one: ${quote(first)}`);
  return { status, headers: readHeaders(lines) };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    if (line === "") continue;
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error(`the answer has a line that is no header: ${quote(line)}`);
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

interface Body {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly continued: boolean;
  readonly start: number;
  readonly method: string;
  readonly ended: boolean;
}

function readBody(bytes: Buffer, { status, headers, continued, start, method, ended }: Body): Read | undefined {
  const answer = (body: Buffer, whole: boolean, end: number, trailers: Answer["trailers"] = {}): Read => {
    return { answer: { status, headers, trailers, body, continued, whole }, end };
  };
  if (method === "HEAD" || status === 204 || status === 304) return answer(Buffer.alloc(0), true, start);
  if (headers["transfer-encoding"] === "chunked") {
    const read = readChunks(bytes, start);
    if (read !== undefined) return answer(read.body, true, read.end, read.trailers);
    return ended ? answer(bytes.subarray(start), false, bytes.length) : undefined;
  }
  const length = headers["content-length"];
  if (length === undefined) return ended ? answer(bytes.subarray(start), true, bytes.length) : undefined;
  const end = start + Number(length);
  if (bytes.length >= end) return answer(bytes.subarray(start, end), true, end);
  return ended ? answer(bytes.subarray(start), false, bytes.length) : undefined;
}

interface Chunks {
  readonly body: Buffer;
  readonly trailers: Readonly<Record<string, string>>;
  readonly end: number;
}

function readChunks(bytes: Buffer, start: number): Chunks | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error(`a chunk has no size: ${quote(bytes.subarray(at, lineEnd))}`);
    if (size === 0) return readTrailers(bytes, lineEnd, Buffer.concat(parts));
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}

/** `at` is where the line of the last chunk ends. */
function readTrailers(bytes: Buffer, at: number, body: Buffer): Chunks | undefined {
  const end = bytes.indexOf("\r\n\r\n", at);
  if (end < 0) return undefined;
  return { body, trailers: readHeaders(bytes.toString("latin1", at + 2, end).split("\r\n")), end: end + 4 };
}

/** Shows bytes in a line. */
export function quote(bytes: Buffer | string, length = 160): string {
  const text = typeof bytes === "string" ? bytes : bytes.toString("latin1", 0, length + 1);
  return JSON.stringify(text.length > length ? `${text.slice(0, length)}…` : text);
}
