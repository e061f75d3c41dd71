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
