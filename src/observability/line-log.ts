import { pino } from "pino";

const { asJsonSym, chindingsSym, lsCacheSym } = pino.symbols;

/** A log of lines of plain facts. */
export type LineLog = Record<"debug" | "info", (facts: object, message: string) => void>;

/** Makes the text of a line; `time` is a member, with its comma. */
type EncodeLine = (facts: object, message: string, level: number, time: string) => string;

/**
 * Creates a log for lines that come with each request. It goes where `log` goes, by its level, and makes a line in half
 * the time: pino looks for a serializer and for secrets at each member. So nothing is redacted: facts are plain values.
 */
export function createLineLog(log: { child(bindings: object): LineLog }): LineLog {
  const child = log.child({});
  const parts = child as unknown as Record<symbol, unknown>;
  const beginnings = parts[lsCacheSym] as Readonly<Record<number, string>>;
  const encode: EncodeLine = (facts, message, level, time) =>
    `${beginnings[level]}${time}${parts[chindingsSym]},"msg":${JSON.stringify(message)},${JSON.stringify(facts).slice(1)}\n`;
  parts[asJsonSym] = encode;
  return child;
}
