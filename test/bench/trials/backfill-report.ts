import type { Store } from "../../../src/store/types/store.ts";
import type { CountedCall } from "./counting-models.ts";

/** A process that served. */
export interface Life {
  /** When it was killed, in milliseconds since 1970; undefined where it was not. */
  killedAt: number | undefined;
}

/** The facts of an improvement of which its report is made. */
export interface BackfillFacts {
  readonly store: Store;
  readonly lives: readonly Life[];
  /** All calls that the models counted. */
  readonly calls: readonly CountedCall[];
  /** The words of each recorded request, by its inference. */
  readonly questions: ReadonlyMap<string, string>;
  /** The answers of users since it began. */
  readonly answers: readonly string[];
  /** The bill that the service tells. */
  readonly spentUsd: number;
}

/** Trials that a process has under way at most. */
const CONCURRENCY = 4;
const NANOS = 1e9;

/**
 * Prints the calls and the bill of each process, as the models counted them and as they are on record. Returns what is
 * at fault: calls of a process that lived to the end are on record to the nano-USD, and so are those of a killed one but
 * for the trials that were under way.
 */
export async function reportBackfill(facts: BackfillFacts): Promise<readonly string[]> {
  const { store, lives, questions, answers, spentUsd } = facts;
  const calls = facts.calls.filter(({ kind }) => kind !== "user");
  const rows = await store.query().selectFrom("ShadowTrial").selectAll().execute();
  const days = await store.query().selectFrom("ShadowDay").select("spentNanos").execute();
  const faults: string[] = [];
  const table = lives.map(({ killedAt }, at) => {
    const from = lives[at - 1]?.killedAt ?? 0;
    const isHere = (time: number) => time >= from && time < (killedAt ?? Number.POSITIVE_INFINITY);
    const made = calls.filter((call) => isHere(call.at));
    const recorded = rows.filter(({ startedAt }) => isHere(startedAt.getTime()));
    const open = new Map<string, number>();
    const add = (question: string, nanos: number) => open.set(question, (open.get(question) ?? 0) + nanos);
    for (const { question, nanos } of made) add(question, nanos);
    for (const { inferenceId, costNanos } of recorded)
      add(questions.get(inferenceId) ?? inferenceId, -(costNanos ?? 0));
    const differing = [...open.values()].filter((nanos) => nanos !== 0);
    const process = `${at + 1}${killedAt === undefined ? "" : ", killed"}`;
    const most = killedAt === undefined ? 0 : CONCURRENCY;
    if (differing.length > most)
      faults.push(`process ${process}: ${differing.length} requests have another bill on record`);
    if (differing.some((nanos) => nanos < 0)) faults.push(`process ${process}: more is on record than was asked`);
    return {
      process,
      "requests asked": made.filter(({ kind }) => kind === "trial").length,
      grades: made.filter(({ kind }) => kind === "grade").length,
      "USD by the models": usd(sum(made.map(({ nanos }) => nanos))),
      "USD on record": usd(sum(recorded.map(({ costNanos }) => costNanos ?? 0))),
      "under way at the kill": differing.length,
      "USD of these": usd(sum(differing)),
    };
  });
  console.table(table);

  const counted = sum(calls.map(({ nanos }) => nanos));
  const onRecord = sum(rows.map(({ costNanos }) => costNanos ?? 0));
  const setAside = sum(days.map(({ spentNanos }) => Number(spentNanos)));
  const trials = rows.filter(({ kind }) => kind === "trial");
  const repeated = trials.length - new Set(trials.map(({ inferenceId }) => inferenceId)).size;
  const own = new Set(calls.filter(({ kind }) => kind === "trial").map(({ text }) => text));
  const leaked = answers.filter((answer) => own.has(answer)).length;
  console.log(
    `  on record: ${trials.length} requests asked, ${repeated} of them twice, and ${rows.length - trials.length} answers checked\n` +
      `  bill: ${usd(onRecord)} USD on record, ${usd(counted)} by the models; ${usd(setAside)} spent or set aside\n` +
      `  users: ${answers.length} answers meanwhile, ${leaked} of them made for the improvement`,
  );
  if (repeated > 0) faults.push("a recorded request was asked twice");
  if (leaked > 0) faults.push("a user got an answer that was made for the improvement");
  if (Math.abs(spentUsd * NANOS - onRecord) >= 1) faults.push(`the service tells a bill of ${spentUsd} USD`);
  if (setAside < counted) faults.push("more was spent than was set aside");
  return faults;
}

function usd(nanos: number): string {
  return (nanos / NANOS).toFixed(4);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
