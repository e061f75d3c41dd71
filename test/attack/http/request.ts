/** A request as it goes over the wire. */
export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names may come several times. Host and content-length are added where they are not given. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | undefined;
}

/** Writes a request. Header values are written as Latin-1, as browsers and Node do. */
export function writeRequest({ method, path, headers, body }: Request): Buffer {
  const has = (name: string): boolean => headers.some(([own]) => own.toLowerCase() === name);
  const lines = [`${method} ${path} HTTP/1.1`];
  if (!has("host")) lines.push("host: 127.0.0.1");
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (body !== undefined && !has("content-length") && !has("transfer-encoding")) {
    lines.push(`content-length: ${body.length}`);
  }
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return body === undefined ? head : Buffer.concat([head, body]);
}

/** Describes a request in a line. */
export function describeRequest({ method, path, headers, body }: Request): string {
  const shown = headers.map(([name, value]) => `${cut(name)}: ${cut(value)}`).join("; ");
  const text =
    body === undefined ? "" : ` body ${body.length} B ${JSON.stringify(cut(body.toString("latin1", 0, 400), 300))}`;
  return `${method} ${JSON.stringify(cut(path, 120))} {${shown}}${text}`;
}

function cut(text: string, length = 60): string {
  const visible = text.replace(/att_[0-9a-z]{12}_[0-9A-Za-z]{43}/g, "<key>");
  return visible.length > length ? `${visible.slice(0, length)}…(${visible.length})` : visible;
}
