import type { Caller } from "./callers.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { type Program, type Prompts, type Route, sleep } from "./server.ts";

/** Most seconds until a server that starts again answers. */
const STARTS_WITHIN = 300;
/** Most seconds that a stream may wait for its turn before the server is killed. */
const TURN = 20;
/** Tokens of the streams: too many to have come when the first of them are read. */
const LIMIT = 1500;

/**
 * Kills a server while it streams to callers of all formats, starts it again, and has them ask until they get an answer.
 * Nobody may take a torso for an answer, and nobody may be told meanwhile that the request was wrong.
 */
export async function crash(
  callers: Readonly<Record<Route, Caller>>,
  {
    model,
    prompts,
    program,
  }: { readonly model: string; readonly prompts: Prompts; readonly program: Omit<Program, "pid"> },
): Promise<Readonly<Record<Route, { readonly killed: Outcome; readonly starting: Outcome }>>> {
  const streams = Object.entries(callers).map(([format, caller]) => {
    const begun = Promise.withResolvers<void>();
    const asked = { prompt: prompts.endless ?? "", limit: LIMIT, streamed: true, atText: () => begun.resolve() };
    const ended = caller(model, asked, () => {}).then(
      // Attune asks again for a caller who has heard nothing yet.
      (got) => (got.finish === "length" && got.outputTokens === LIMIT ? "" : JSON.stringify({ ...got, id: undefined })),
      () => "",
    );
    return { format, ended, begun: Promise.race([begun.promise, ended, sleep(TURN * 1000)]) };
  });
  await Promise.all(streams.map(({ begun }) => begun));
  await program.crash();
  const killed = await Promise.all(streams.map(async ({ format, ended }) => [format, await ended] as const));
  program.revive();
  const started = await Promise.all(
    Object.entries(callers).map(async ([format, caller]) => [format, await askUntil(caller, model, prompts)] as const),
  );
  const tellsStart = new Map(started);
  const outcomes = killed.map(([format, told]) => [
    format,
    { killed: outcomeOf(told, ""), starting: outcomeOf(tellsStart.get(format) ?? "", "") },
  ]);
  return Object.fromEntries(outcomes);
}

/** Asks until the greeting comes; returns what came instead that no caller would ask again after. */
async function askUntil(caller: Caller, model: string, { greet }: Prompts): Promise<string> {
  for (const end = Date.now() + STARTS_WITHIN * 1000; Date.now() < end; await sleep(300)) {
    const told = await caller(model, { prompt: greet }, () => {}).then(
      ({ texts }) => (texts[0] === "Hi there!" ? "" : JSON.stringify(texts)),
      (error: unknown) => (isTemporary(error) ? undefined : String(error)),
    );
    if (told !== undefined) return told;
  }
  return `no answer within ${STARTS_WITHIN} s`;
}

function isTemporary(error: unknown): boolean {
  const status = typeof error === "object" && error !== null && "status" in error ? Number(error.status) : 0;
  return status === 429 || status >= 500;
}
