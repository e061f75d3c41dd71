/** Headers in which upstreams tell what is left of a limit, and the limit: of both companies, by what is limited. */
const LEFT = /^(?:x-ratelimit-remaining-(.+)|anthropic-ratelimit-(.+)-remaining)$/;

/** Returns the smallest part that is left of any of an upstream's limits, 0 to 1; undefined where it tells of none. */
export function readHeadroom(headers: Readonly<Record<string, string>>): number | undefined {
  let smallest: number | undefined;
  for (const [name, value] of Object.entries(headers)) {
    const [, openAi, messages] = LEFT.exec(name) ?? [];
    if (openAi === undefined && messages === undefined) continue;
    const limit = Number(
      headers[openAi === undefined ? `anthropic-ratelimit-${messages}-limit` : `x-ratelimit-limit-${openAi}`],
    );
    const part = Number(value) / limit;
    if (part >= 0 && part <= 1 && (smallest === undefined || part < smallest)) smallest = part;
  }
  return smallest;
}

/** Rate limits are per minute: what was told of them is worth nothing later. */
const HEADROOM_MS = 60_000;

/** The part that is left of rate limits, as answers told of late. Times are milliseconds of a steady clock. */
export class Headroom {
  #part = 1;
  #untilMs = 0;

  note(headers: Readonly<Record<string, string>>, nowMs: number): void {
    const part = readHeadroom(headers);
    if (part === undefined) return;
    this.#part = part;
    this.#untilMs = nowMs + HEADROOM_MS;
  }

  /** Returns the smallest part that is left, 0 to 1; undefined where nothing was told in the last minute. */
  at(nowMs: number): number | undefined {
    return nowMs < this.#untilMs ? this.#part : undefined;
  }
}
