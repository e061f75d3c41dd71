import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What the upstream does next: send text or bytes, wait for a time or until the test says so, or break the connection.
 */
export type Step = string | Uint8Array | { readonly waitMs: number } | { readonly until: Promise<void> } | "die";

/** One answer. The body is sent step by step, each of its texts as one write. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** Never ends the body. */
  readonly hang?: boolean;
}

/** A request that the upstream received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resolves when the caller closed the connection before the answer was complete. */
  readonly aborted: Promise<number>;
  /** What the connection has taken of the answer so far. */
  readonly sent: { bytes: number };
}

/** An answer as a stream, and as a whole one for those who ask for no stream. */
export interface AnswerAsAsked {
  readonly streamed: Answer;
  readonly whole: Answer;
}

/** A whole answer in JSON. */
export function wholeAnswer(body: string, headers: Answer["headers"] = {}): Answer {
  return { headers: { "content-type": "application/json", ...headers }, steps: [body] };
}

/** An HTTP server that answers as told. */
export interface ScriptedUpstream {
  readonly url: string;
  readonly received: Received[];
  /** Sets the answers of the coming requests, in order; the last one repeats. One may differ by how it is asked for. */
  answer(...answers: (Answer | AnswerAsAsked)[]): void;
  /** Chooses the answer of every coming request by its path and body. */
  answerBy(choose: (path: string, body: string) => Answer | AnswerAsAsked): void;
  close(): Promise<void>;
}

/** Starts an upstream on a free port of 127.0.0.1, which closes connections that were idle for so long. */
export async function startScriptedUpstream({ keepAliveMs = 5000 } = {}): Promise<ScriptedUpstream> {
  const received: Received[] = [];
  let queue: (Answer | AnswerAsAsked)[] = [];
  let choose: ((path: string, body: string) => Answer | AnswerAsAsked) | undefined;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const aborted = new Promise<number>((resolve) => {
      response.once("close", () => {
        if (!response.writableFinished) resolve(performance.now());
      });
    });
    const sent = { bytes: 0 };
    received.push({ path: request.url ?? "", headers: request.headers, body, aborted, sent });
    const answer = choose?.(request.url ?? "", body) ?? (queue.length > 1 ? queue.shift() : queue[0]);
    if (answer === undefined) return void response.writeHead(500).end("no answer is scripted");
    await play(response, asAsked(answer, body), sent);
  });
  server.keepAliveTimeout = keepAliveMs;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (...answers) => {
      queue = answers;
      choose = undefined;
    },
    answerBy: (by) => {
      choose = by;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function asAsked(answer: Answer | AnswerAsAsked, body: string): Answer {
  if (!("whole" in answer)) return answer;
  const { stream } = JSON.parse(body) as { stream?: boolean };
  return stream === true ? answer.streamed : answer.whole;
}

async function play(response: ServerResponse, answer: Answer, sent: Received["sent"]): Promise<void> {
  response.writeHead(answer.status ?? 200, { "content-type": "text/event-stream", ...answer.headers });
  response.flushHeaders();
  for (const step of answer.steps) {
    if (response.destroyed) return;
    if (step === "die") return void response.destroy();
    if (typeof step === "string" || step instanceof Uint8Array) {
      if (!response.write(step)) await taken(response);
      sent.bytes += Buffer.byteLength(step);
    } else if ("until" in step) await step.until;
    else await sleep(step.waitMs);
  }
  if (answer.hang !== true) response.end();
}

/** Resolves when the caller has taken what was written, or has gone. */
function taken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}
