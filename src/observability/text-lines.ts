/** Facts of a request's line that stand without their names, in this order. */
const UNNAMED = ["route", "status", "outcome"] as const;

/** Facts of a request's line that people look for at a terminal. JSON has all of them. */
const SHOWN = [
  ...UNNAMED,
  "reason",
  "model",
  "servedModel",
  "upstream",
  "inputTokens",
  "outputTokens",
  "durationMs",
  "requestId",
  "inferenceId",
];

const NAMES: Readonly<Record<number, readonly [name: string, color: number]>> = {
  20: ["debug", 2],
  30: ["info", 36],
  40: ["warn", 33],
  50: ["error", 31],
  60: ["fatal", 31],
};

/**
 * Returns a line of the log's JSON as text for a terminal: local time, level, message, facts, and below them errors.
 */
export function toTextLine(json: string, hasColors: boolean): string {
  const { level, time, msg, err, ...facts } = JSON.parse(json) as Record<string, unknown>;
  const paint = (text: string, color: number) => (hasColors ? `\u001b[${color}m${text}\u001b[0m` : text);
  const [name, color] = NAMES[Number(level)] ?? [String(level), 36];
  const isRequest = msg === "request" && "route" in facts;
  const words = isRequest ? describeRequest(facts) : [safe(String(msg)), ...describeFacts(facts)];
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const line = [paint(clock, 2), paint(name.padEnd(5), color), ...words.filter((word) => word !== "")].join(" ");
  return [line, ...describeError(err)].join("\n    ");
}

function describeRequest(facts: Readonly<Record<string, unknown>>): string[] {
  const unnamed = UNNAMED.map((name) => safe(String(facts[name] ?? "")));
  const named = SHOWN.filter((name) => !UNNAMED.some((other) => other === name) && facts[name] !== undefined);
  return [...unnamed, ...describeFacts(Object.fromEntries(named.map((name) => [name, facts[name]])))];
}

function describeFacts(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts).map(([name, value]) => {
    const text = typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
    return `${safe(name)}=${safe(text)}`;
  });
}

function describeError(error: unknown): string[] {
  if (typeof error !== "object" || error === null) return error === undefined ? [] : [safe(String(error))];
  const { message = "", stack = "", cause } = error as Record<string, unknown>;
  const lines = String(stack || message).split("\n");
  return [
    ...lines.map((line) => safe(line.trim())),
    ...(cause === undefined ? [] : ["caused by", ...describeError(cause)]),
  ];
}

/** A terminal would obey control characters of what an upstream or a caller sent. */
function safe(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
