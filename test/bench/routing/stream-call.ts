import type { Dispatcher } from "undici";
import { createSseReader } from "../../../src/formats/shared/sse.ts";
import { TOKENS } from "./chat-stream.ts";

/** How one streamed call of Attune turned out. */
export interface StreamOutcome {
  /** Whether the whole answer came, each token once. */
  readonly isWhole: boolean;
  /** Whether it broke off when its caller had read a part of it. */
  readonly isBrokenLate: boolean;
  /** From when it was to be sent to its first token; undefined if none came. */
  readonly firstTokenMs: number | undefined;
  /** How late it was sent: what the machine was too busy for. */
  readonly lateMs: number;
  readonly servedBy: string;
  readonly wasHedged: boolean;
  /** What went wrong, for people. */
  readonly problem: string | undefined;
}

/** What a call is made of. */
export interface StreamCall {
  readonly dispatcher: Dispatcher;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** When it was to be sent, as performance.now() has it: what a busy client lost counts as well. */
  readonly dueMs: number;
}

const ANSWER = TOKENS.join("");

/** Makes a call and reads its answer to the end; never throws. */
export async function callStream({ dispatcher, url, headers, body, dueMs }: StreamCall): Promise<StreamOutcome> {
  const lateMs = performance.now() - dueMs;
  let text = "";
  let isDone = false;
  let firstTokenMs: number | undefined;
  let servedBy = "";
  let wasHedged = false;
  let problem: string | undefined;
  try {
    const answer = await dispatcher.request({
      origin: url,
      path: "/v1/chat/completions",
      method: "POST",
      headers,
      body,
    });
    servedBy = `${answer.headers["attune-served-by"] ?? ""}`;
    wasHedged = `${answer.headers["attune-optimizations"] ?? ""}`.includes("hedge");
    if (answer.statusCode !== 200) problem = `${answer.statusCode} ${(await answer.body.text()).slice(0, 200)}`;
    else {
      const reader = createSseReader();
      for await (const bytes of answer.body) {
        for (const { data } of reader.read(bytes)) {
          if (data === "[DONE]") isDone = true;
          else {
            const chunk = JSON.parse(data);
            if (chunk.error !== undefined) problem = `${chunk.error.message}`;
            text += chunk.choices?.[0]?.delta?.content ?? "";
          }
          if (text !== "") firstTokenMs ??= performance.now() - dueMs;
        }
      }
    }
  } catch (thrown) {
    problem = `${thrown}`;
  }
  const isWhole = isDone && problem === undefined && text === ANSWER;
  problem ??= isWhole ? undefined : `the answer is '${text}'`;
  return { isWhole, isBrokenLate: !isWhole && text !== "", firstTokenMs, lateMs, servedBy, wasHedged, problem };
}
