import { Buffer } from "node:buffer";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";

/** An answer, whole. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * A request that is sent as it is: no header is added but those that HTTP itself needs, and the path is not normalised.
 */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

// A connection for each request: some answers close theirs while the next request would already use it.
const agent = new Agent({ keepAlive: false });

/** Sends a request that fetch() would refuse to send, or would put right. */
export function sendRaw(url: string, { body, ...options }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const headers = { ...length, ...options.headers };
    const request = httpRequest(url, { ...options, headers, agent }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    request.on("error", reject);
    request.end(body);
  });
}
