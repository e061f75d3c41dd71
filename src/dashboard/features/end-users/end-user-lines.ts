import type { EndUserPart } from "../../../store/end-users/read-end-user.ts";
import type { ContentReader } from "../history/content-reader.ts";
import { exportLine } from "../history/export-line.ts";

/**
 * Writes what is known of an end user as JSON lines, in parts. Each line has one member: limits, usage, conversation,
 * or inference, which is as in exports of the history.
 */
export async function* endUserLines(
  parts: AsyncIterable<EndUserPart>,
  contents: ContentReader,
): AsyncGenerator<string | Uint8Array> {
  for await (const part of parts) {
    if (part.kind === "inference") {
      yield '{"inference":';
      for await (const piece of exportLine(part.inference, contents)) yield piece === "]}\n" ? "]}}\n" : piece;
    } else if (part.kind === "usage") {
      const { period, ...day } = part.day;
      yield `${JSON.stringify({ usage: { day: dayText(period), ...day } })}\n`;
    } else if (part.kind === "limits") yield `${JSON.stringify({ limits: part.limits })}\n`;
    else yield `${JSON.stringify({ conversation: part.conversation })}\n`;
  }
}

const DAY_MS = 86_400_000;

function dayText(period: number): string {
  return new Date(period * DAY_MS).toISOString().slice(0, 10);
}
