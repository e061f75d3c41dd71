import { type Logger, pino } from "pino";
import { capitalize } from "../lib/letter-case.ts";
import { redactKeys } from "../lib/redact-keys.ts";
import { LogFile } from "./log-file.ts";
import { toTextLine } from "./text-lines.ts";

/** Most characters that wait to be written; lines beyond them are lost. */
const MOST_WAITING = 2 ** 24;

/** The levels of the log. */
export type LogLevel = "silent" | "error" | "warn" | "info" | "debug";

/** The forms of the log's lines; `auto` is text at a terminal, and JSON where a program reads. */
export type LogFormat = "auto" | "json" | "text";

/**
 * Creates the log: lines on standard error. What looks like a key is replaced in the texts of errors, which may
 * repeat what an upstream or a driver said.
 */
export function createLog(level: LogLevel, format: LogFormat = "auto"): Logger {
  const isText = format === "text" || (format === "auto" && process.stderr.isTTY);
  const options = {
    level,
    base: undefined,
    timestamp: createTimestamp(),
    redact: ["req.headers", "headers", "apiKey", "authorization"],
    serializers: { err: describeError },
    formatters: { log: renameOwn },
  };
  const destination = new LogFile(2, {
    mostWaiting: MOST_WAITING,
    onLost: (lines) => log.warn({ lines }, "lines of the log were lost: nobody took them, or the disk was full"),
  });
  const log = pino(options, isText ? toTextLines(destination) : destination);
  return log;
}

function toTextLines(destination: LogFile): { write(line: string): void } {
  const hasColors = process.stderr.isTTY && process.stderr.hasColors();
  return { write: (line) => destination.write(`${toTextLine(line, hasColors)}\n`) };
}

/** The members that each line has anyway. */
const OWN: readonly string[] = ["level", "time", "pid", "msg"];

/**
 * Renames facts that would double a member of the line, of which readers of JSON take the last: `time` to `factTime`.
 */
export function renameOwn(facts: Record<string, unknown>): Record<string, unknown> {
  if (!OWN.some((name) => name in facts)) return facts;
  const renamed = ([name, value]: [string, unknown]) =>
    OWN.includes(name) ? [`fact${capitalize(name)}`, value] : [name, value];
  return Object.fromEntries(Object.entries(facts).map(renamed));
}

/**
 * Creates the member of a line that has its time. Within a second only the milliseconds are written anew, which takes a
 * third of the time of a whole date.
 */
export function createTimestamp(now: () => number = Date.now): () => string {
  let second = Number.NaN;
  let beginning = "";
  return () => {
    const ms = now();
    const current = Math.floor(ms / 1000);
    if (current !== second) {
      second = current;
      beginning = new Date(current * 1000).toISOString().slice(0, -4);
    }
    return `,"time":"${beginning}${String(ms - current * 1000).padStart(3, "0")}Z"`;
  };
}

/** Most characters of a message or a stack: a database's error may have the whole statement with its values in it. */
const MOST_CHARACTERS = 10_000;

function clean(text: string): string {
  return redactKeys(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text);
}

interface ErrorDescription {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly cause?: ErrorDescription;
}

/** Describes an error and what led to it. */
function describeError(thrown: unknown): ErrorDescription {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: clean(String(thrown)), stack: "" };
  const { name, message, stack, cause } = thrown;
  const description = { type: name, message: clean(message), stack: clean(stack ?? "") };
  return cause === undefined ? description : { ...description, cause: describeError(cause) };
}
