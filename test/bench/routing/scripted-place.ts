import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { LAST_FRAMES, ROLE_FRAME, TOKEN_FRAMES } from "./chat-stream.ts";
import type { Behaviour } from "./fault-scripts.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Time to the first token: half of the answers take longer, one of a hundred three times as long. */
const MEDIAN_MS = 40;
const SIGMA = 0.5;
const BETWEEN_TOKENS_MS = 5;
/** An error is known sooner than an answer. */
const ERROR_MS = 5;

const ERRORS: Readonly<Record<number, object>> = {
  401: { message: "Incorrect API key provided.", type: "invalid_request_error", param: null, code: "invalid_api_key" },
  429: { message: "Rate limit reached for requests", type: "requests", param: null, code: "rate_limit_exceeded" },
  500: { message: "The server had an error.", type: "server_error", param: null, code: null },
};

/** A place that answers Chat streams as real ones do, and gets into trouble when it is told to. It counts its calls. */
export class ScriptedPlace {
  readonly #random: () => number;
  readonly #server: Server;
  #port = 0;
  #behaviour: Behaviour = { kind: "healthy" };
  #bucket: TokenBucket | undefined;
  #calls = 0;

  /** `random` draws numbers from 0 to below 1. */
  constructor(random: () => number) {
    this.#random = random;
    this.#server = createServer((request, response) => {
      request.resume().on("end", () => void this.#answer(response));
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Behaves so from now on, and counts anew. */
  async behave(behaviour: Behaviour): Promise<void> {
    this.#behaviour = behaviour;
    this.#bucket = behaviour.kind === "limited" ? new TokenBucket(behaviour.callsPerSecond) : undefined;
    this.#calls = 0;
    if (behaviour.kind === "refusing") {
      const closed = new Promise((resolve) => this.#server.close(resolve));
      this.#server.closeAllConnections();
      await closed;
    } else if (!this.#server.listening) await this.listen();
  }

  /** Calls that have come in since it was last told how to behave; connections that nobody took are none. */
  get calls(): number {
    return this.#calls;
  }

  async #answer(response: ServerResponse): Promise<void> {
    this.#calls += 1;
    const behaviour = this.#behaviour;
    if (behaviour.kind === "unauthenticated") return await refuse(response, 401);
    if (behaviour.kind === "failing" && this.#random() < behaviour.part) return await refuse(response, 500);
    const isAllowed = this.#bucket?.take() ?? true;
    const limits = this.#bucket?.headers() ?? {};
    if (!isAllowed) return await refuse(response, 429, { ...limits, "retry-after": "1" });
    await this.#stream(response, limits);
  }

  async #stream(response: ServerResponse, headers: Record<string, string>): Promise<void> {
    const behaviour = this.#behaviour;
    const factor = behaviour.kind === "slow" ? behaviour.factor : 1;
    const diesAfter = behaviour.kind === "dying" ? behaviour.afterTokens : Number.POSITIVE_INFINITY;
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    response.write(ROLE_FRAME);
    await delay(factor * MEDIAN_MS * Math.exp(SIGMA * normal(this.#random)));
    for (const [position, frame] of TOKEN_FRAMES.entries()) {
      if (position === diesAfter) response.destroy();
      if (response.destroyed) return;
      response.write(frame);
      await delay(factor * BETWEEN_TOKENS_MS);
    }
    response.end(LAST_FRAMES);
  }
}

async function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): Promise<void> {
  await delay(ERROR_MS);
  const body = JSON.stringify({ error: ERRORS[status] });
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

/** Draws from the normal distribution (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
