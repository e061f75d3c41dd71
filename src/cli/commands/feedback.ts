import { defineRootCommand, option, type Parameter, UsageError, withPreset } from "../command.ts";
import { configuredUrl } from "../configured-url.ts";
import { readUrl } from "../options.ts";
import { fail, print, tell } from "../output.ts";
import { readConfig } from "../with-config.ts";

const LIMIT_MS = 30_000;

/** A value of feedback; null takes back what was sent under its name. */
type Score = boolean | number | string | null;

type Scores = readonly (readonly [name: string, value: Score])[];

type Tags = Readonly<Record<string, string>>;

const VALUES: Parameter<Scores> = {
  summary: "true, false and numbers are metrics, null withdraws an earlier value, anything else is a note: passed=true",
  value: "name=value",
  isRequired: true,
  isMany: true,
  read: readScores,
};

/** `attune feedback`. */
export const feedback = defineRootCommand({
  arguments: { values: VALUES },
  options: {
    session: option("id", "session whose calls the feedback is about"),
    id: option("id", "id of one answer, instead of a session"),
    reason: option("text", "reason, stored with each metric"),
    tag: withPreset(
      option("name=value", "label stored with the values; repeatable", (text, before: Tags = {}) => {
        const [name, value] = split(text);
        return { ...before, [name]: value };
      }),
      {},
    ),
    url: {
      ...option("url", "address of the service; that of the configuration if absent", readUrl),
      env: "ATTUNE_URL",
    },
  },
  help: "\nThe API key is read from ATTUNE_KEY, or else from ATTUNE_API_KEY.",
  examples: ["attune feedback passed=true score=0.8 --session pr-1234 --reason 'all tests pass'"],
  async run({ values, session, id, reason, tag, url }) {
    if ((session === undefined) === (id === undefined)) fail("give --id or --session");
    const key = process.env["ATTUNE_KEY"] || process.env["ATTUNE_API_KEY"];
    if (!key) fail("set ATTUNE_KEY to an API key of the project");
    const scores = Object.fromEntries(values.map(([name, value]) => [name, withReason(value, reason)]));
    const event = { ...(session === undefined ? { id } : { session }), feedback: scores, tags: tag };
    const [result] = await send(url ?? configuredUrl(readConfig()), key, [event]);
    if (result?.feedback_ids == null)
      fail(`the feedback was not stored: ${result?.error?.message ?? "no result came"}`);
    for (const [name, entry] of Object.entries(result.feedback_ids)) print(`${name}  ${entry}`);
    for (const warning of result.warnings ?? []) tell(`warning: ${warning}`);
    for (const [name, value] of values) if (value === null) print(`${name}  withdrawn`);
  },
});

function split(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError("must be a name with a value: passed=true");
  return [text.slice(0, at), text.slice(at + 1)];
}

function readScores(text: string, before: Scores = []): Scores {
  const [name, value] = split(text);
  return [...before, [name, readScore(value)]];
}

function readScore(text: string): Score {
  if (text === "null") return null;
  if (text === "true" || text === "false") return text === "true";
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

interface Result {
  readonly feedback_ids: Readonly<Record<string, string>> | null;
  readonly error: { readonly message: string } | null;
  readonly warnings?: readonly string[];
}

function withReason(value: Score, reason: string | undefined): unknown {
  return reason === undefined || value === null || typeof value === "string" ? value : { score: value, reason };
}

async function send(url: string, key: string, events: readonly unknown[]): Promise<readonly Result[]> {
  // The service may be below a path.
  const address = new URL(`${url.replace(/(?<!\/)\/+$/, "")}/v1/feedback`);
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(events),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    // What stands before a service may answer with a page.
    const body: unknown = await answer.json().catch(() => undefined);
    if (Array.isArray(body)) return body as readonly Result[];
    const { error } = (body ?? {}) as { readonly error?: { readonly message?: string } };
    const reason = error?.message ?? "not as Attune does: --url is the address of the service itself";
    return fail(`${address.origin} answered with ${answer.status}: ${reason}`);
  } catch (thrown) {
    const { message, cause } = thrown as Error;
    return fail(`cannot reach ${address.origin}: ${cause instanceof Error ? cause.message : message}`);
  }
}
