import { createParser } from "eventsource-parser";
import { DASHBOARD_PATH } from "../../../web/dashboard-path.ts";
import { type Exchange, newExchange, type PlaygroundRequest } from "./exchange.ts";
import type { Answer, AnswerReader } from "./formats/answer.ts";
import { FORMATS } from "./formats/formats.ts";
import { textAt } from "./formats/json.ts";

/** Returns the address at which the public API serves who is signed in. */
export function playgroundUrl(projectId: string, path: string): string {
  return `${DASHBOARD_PATH}/api/playground/${projectId}${path}`;
}

/**
 * Sends a call and tells of all that comes of it, the last time when it has ended. Aborting the signal stops it. Does
 * not reject: what goes wrong is told too.
 */
export async function send(
  request: PlaygroundRequest,
  signal: AbortSignal,
  onChange: (exchange: Exchange) => void,
): Promise<void> {
  let exchange = newExchange(request);
  const change = (part: Partial<Exchange>) => {
    exchange = { ...exchange, ...part };
    onChange(exchange);
  };
  change({});
  try {
    const response = await post(request, signal);
    const headers = [...response.headers].filter(([name]) => TOLD.test(name));
    change({ status: response.status, headers, servedBy: response.headers.get("attune-served-by") ?? "" });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    if (isStream) await readStream(response, FORMATS[request.format].reader, () => exchange, change);
    else change(readWhole(await response.text(), exchange, response.ok));
    change({ state: exchange.answer.error === "" ? "done" : "failed" });
  } catch (error) {
    change(signal.aborted ? { state: "stopped" } : { state: "failed", answer: failed(exchange.answer, error) });
  }
}

/** Headers that say something of the answer. */
const TOLD = /^(attune-|x-request-id$|x-ratelimit|anthropic-|openai-|retry-after|x-should-retry$|content-type$)/;

async function post(request: PlaygroundRequest, signal: AbortSignal): Promise<Response> {
  const { projectId, format, workload, body, text = JSON.stringify(body), headers = {} } = request;
  const labels: Record<string, string> = workload === "" ? {} : { "attune-workload": workload };
  return await fetch(playgroundUrl(projectId, FORMATS[format].path), {
    method: "POST",
    headers: { "content-type": "application/json", ...labels, ...headers },
    body: text,
    signal,
  });
}

/** The page is told once for each read, however many events that has. */
async function readStream(
  response: Response,
  reader: AnswerReader,
  now: () => Exchange,
  change: (part: Partial<Exchange>) => void,
): Promise<void> {
  let { raw, answer, servedBy } = now();
  const parser = createParser({
    onEvent({ data }) {
      if (data !== "[DONE]") answer = reader.event(answer, JSON.parse(data));
    },
    // Where the headers went out before anybody had begun to answer, they come as comments.
    onComment(comment) {
      servedBy = /^attune-served-by: (.+)$/.exec(comment.trim())?.[1] ?? servedBy;
    },
  });
  for await (const text of readTexts(response)) {
    raw += text;
    parser.feed(text);
    change({ raw, answer, servedBy });
  }
  if (answer.finish === "" && answer.error === "") {
    change({ answer: { ...answer, error: "The stream ended before the answer did." } });
  }
}

async function* readTexts({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) return;
    yield read.value;
  }
}

function readWhole(raw: string, { request, answer }: Exchange, isOk: boolean): Partial<Exchange> {
  let body: unknown;
  try {
    body = JSON.parse(raw);
  } catch {
    return { raw, answer: { ...answer, error: raw.trim() === "" ? "The answer is empty." : raw } };
  }
  const pretty = JSON.stringify(body, undefined, 2);
  if (isOk) return { raw: pretty, answer: FORMATS[request.format].reader.whole(body) };
  return { raw: pretty, answer: { ...answer, error: textAt(body, "error", "message") || raw } };
}

function failed(answer: Answer, error: unknown): Answer {
  const reason = error instanceof Error ? error.message : String(error);
  return { ...answer, error: `Attune cannot be reached, or the connection broke: ${reason}` };
}
