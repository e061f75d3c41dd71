import { randomUUID } from "node:crypto";
import type { AnswerWebhook } from "../../../catalog/model.ts";
import { Ejection } from "../../../lib/ejection.ts";
import { Semaphore } from "../../../lib/semaphore.ts";
import { standardWebhookHeaders, type WebhookMessage } from "../../../lib/standard-webhook.ts";
import type { Asker, TextByWebhook, TextJudgement } from "../check-thread.ts";

/**
 * The result of asking a webhook. It let the answer pass or did not; or it judged nothing: it took too long, could not
 * be reached or broke off, did not answer with success, or with what it has to say. Or it was not asked: the answer is
 * too large, all its calls were taken until the deadline, it is left alone since it failed, or nobody wants to know any
 * more.
 */
type WebhookResult =
  | ("passed" | "rejected")
  | ("timeout" | "unreachable" | "bad_status" | "bad_answer")
  | ("too_large" | "busy" | "skipped" | "canceled");

/** The response of a webhook. */
interface WebhookAnswer {
  readonly status: number;
  /** Undefined where its status is none of success, and where it is too long. */
  readonly text: string | undefined;
}

/** Posts to one webhook over connections of its own. */
export interface WebhookClient {
  /** Rejects where there is no answer, and where `signal` aborts. */
  post(
    request: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
    signal: AbortSignal,
  ): Promise<WebhookAnswer>;
  close(): Promise<void>;
}

/** The ports of a webhook caller. */
export interface WebhookPorts {
  readonly createClient: (webhook: Pick<AnswerWebhook, "url" | "deadlineMs">) => WebhookClient;
  /** Told of every result. */
  readonly onResult: (host: string, result: WebhookResult) => void;
  /** Told where it fails, at most once a minute for each webhook. */
  readonly onTrouble: (trouble: WebhookTrouble) => void;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
}

/** A webhook that does not do what it is for. */
export interface WebhookTrouble {
  readonly host: string;
  readonly result: WebhookResult;
  readonly status: number | undefined;
  /** The failure of the call, if there is no response. */
  readonly error: unknown;
  /** Failures since the last one that was told, this one included. */
  readonly failures: number;
}

/** The outcome of a call. */
interface Outcome {
  readonly result: WebhookResult;
  readonly status?: number;
  readonly error?: unknown;
}

/** Answers of one project, and of all, that wait for a call at once, for each one that may be made. */
const WAITING_OF_PROJECT = 8;
const WAITING = 64;
const LOG_EVERY_MS = 60_000;
const TROUBLE: ReadonlySet<WebhookResult> = new Set(["timeout", "unreachable", "bad_status", "bad_answer"]);

/** Asks one webhook, as often at once as it may be; one that fails is left alone for a while. */
export class WebhookCaller {
  readonly #webhook: AnswerWebhook;
  readonly #ports: WebhookPorts;
  readonly #host: string;
  readonly #client: WebhookClient;
  readonly #semaphore: Semaphore;
  readonly #calls = new Set<Call>();
  readonly #ejection = new Ejection();
  /** True if it was left alone, and has not proved to be back. */
  #isOnTrial = false;
  #isClosed = false;
  #failures = 0;
  #loggedMs = Number.NEGATIVE_INFINITY;

  constructor(webhook: AnswerWebhook, ports: WebhookPorts) {
    this.#webhook = webhook;
    this.#ports = ports;
    this.#host = new URL(webhook.url).host;
    this.#client = ports.createClient(webhook);
    this.#semaphore = new Semaphore(webhook.concurrency, {
      maxOfOwner: WAITING_OF_PROJECT * webhook.concurrency,
      max: WAITING * webhook.concurrency,
    });
  }

  /**
   * Asks whether an answer passes, within the webhook's deadline; undefined where that is not found out. Never rejects.
   */
  async judge(body: TextByWebhook["body"], asker: Asker): Promise<TextJudgement | undefined> {
    const outcome = await this.#ask(body, asker);
    const { result } = outcome;
    this.#ports.onResult(this.#host, result);
    if (TROUBLE.has(result)) this.#failed(outcome);
    if (result !== "passed" && result !== "rejected") return undefined;
    this.#ejection.succeeded(this.#ports.now());
    this.#isOnTrial = false;
    return result === "passed" ? "fits" : "mismatch";
  }

  /** Ends the calls that are under way, and closes its connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#calls) call.leave();
    await this.#client.close();
  }

  async #ask(body: TextByWebhook["body"], { projectId, signal }: Asker): Promise<Outcome> {
    if (this.#isClosed || signal?.aborted === true) return { result: "canceled" };
    if (this.#isLeftAlone()) return { result: "skipped" };
    const call = new Call(this.#webhook.deadlineMs, signal);
    this.#calls.add(call);
    try {
      return await this.#askInTurn(body, call, projectId);
    } finally {
      call.end();
      this.#calls.delete(call);
    }
  }

  async #askInTurn(makeBody: TextByWebhook["body"], call: Call, projectId: string): Promise<Outcome> {
    if (!(await this.#semaphore.acquire({ signal: call.signal, owner: projectId })))
      return { result: call.isLeft ? "canceled" : "busy" };
    try {
      const body = makeBody();
      return body === undefined ? { result: "too_large" } : await this.#post(body, call.signal);
    } catch (error) {
      if (call.isLeft) return { result: "canceled" };
      return call.signal.aborted ? { result: "timeout" } : { result: "unreachable", error };
    } finally {
      this.#semaphore.release();
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<Outcome> {
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = webhookHeaders(this.#webhook, { id: randomUUID(), timestamp, body });
    const { status, text } = await this.#client.post({ headers, body }, signal);
    if (status < 200 || status > 299) return { result: "bad_status", status };
    return { result: text === undefined ? "bad_answer" : getResult(text), status };
  }

  /** Once it was left alone for long enough, one call finds out whether it is back. */
  #isLeftAlone(): boolean {
    return this.#ejection.isOut(this.#ports.now()) || (this.#isOnTrial && this.#semaphore.held > 0);
  }

  #failed({ result, status, error }: Outcome): void {
    const nowMs = this.#ports.now();
    this.#ejection.failed(nowMs, 0);
    this.#isOnTrial ||= this.#ejection.isOut(nowMs);
    this.#failures += 1;
    if (nowMs - this.#loggedMs < LOG_EVERY_MS) return;
    this.#ports.onTrouble({ host: this.#host, result, status, error, failures: this.#failures });
    this.#loggedMs = nowMs;
    this.#failures = 0;
  }
}

/** A call with the signals that end it: its deadline, or a caller who has left. */
class Call {
  readonly #stop = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  isLeft = false;

  constructor(deadlineMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#timer = setTimeout(() => this.#stop.abort(), deadlineMs);
    caller?.addEventListener("abort", this.leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  readonly leave = (): void => {
    this.isLeft = true;
    this.#stop.abort();
  };

  /** Lets go of what it was waiting for. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.leave);
  }
}

/** Reads `{"pass": true}`; what else there is beside it is the webhook's own affair. */
function getResult(text: string): WebhookResult {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return "bad_answer";
  }
  if (typeof parsed !== "object" || parsed === null || !("pass" in parsed)) return "bad_answer";
  if (typeof parsed.pass !== "boolean") return "bad_answer";
  return parsed.pass ? "passed" : "rejected";
}

/**
 * Returns the headers of a call: those that are configured, and the service's own, with a signature where there is a
 * secret.
 */
export function webhookHeaders(
  { headers, secret }: Pick<AnswerWebhook, "headers" | "secret">,
  message: WebhookMessage,
): Record<string, string> {
  return { ...headers, accept: "application/json", ...standardWebhookHeaders(message, secret) };
}
