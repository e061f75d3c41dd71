import { type Message, Role } from "../../../gen/attune/content/v1/content_pb.ts";

/**
 * Puts the results of tools right behind the calls that they are of: agents put notes in between, and servers of Chat
 * and Messages take nothing else there. Everything else keeps its order.
 */
export function resultsBehindCalls<Placed extends { readonly message: Message }>(all: readonly Placed[]): Placed[] {
  const runs = readRuns(all);
  return all.flatMap((placed, index) => {
    if (runs.moved.has(index)) return [];
    const results = runs.results.get(index);
    return results === undefined ? [placed] : [placed, ...results];
  });
}

interface Runs<Placed> {
  /** Messages of results, by the index of the message of the assistant that they go behind. */
  readonly results: ReadonlyMap<number, readonly Placed[]>;
  /** Their own indexes. */
  readonly moved: ReadonlySet<number>;
}

/** Neighbouring messages of the assistant are one run, and results go behind its last one. */
function readRuns<Placed extends { readonly message: Message }>(all: readonly Placed[]): Runs<Placed> {
  let run: { last: number } | undefined;
  const runsOfCalls = new Map<string, { last: number }>();
  const found: { readonly index: number; readonly run: { last: number } }[] = [];
  for (const [index, { message }] of all.entries()) {
    if (message.role === Role.UNSPECIFIED) continue;
    if (message.role !== Role.ASSISTANT) {
      run = undefined;
      const ofCall = runsOfCalls.get(resultId(message) ?? "");
      if (ofCall !== undefined) found.push({ index, run: ofCall });
      continue;
    }
    run ??= { last: index };
    run.last = index;
    for (const { kind } of message.content) if (kind.case === "toolUse") runsOfCalls.set(kind.value.id, run);
  }
  const results = new Map<number, Placed[]>();
  for (const { index, run } of found) {
    const placed = all[index];
    if (placed === undefined) continue;
    const others = results.get(run.last);
    if (others === undefined) results.set(run.last, [placed]);
    else others.push(placed);
  }
  return { results, moved: new Set(found.map(({ index }) => index)) };
}

/** Returns the call that a message has a result of, and nothing else. */
function resultId({ content }: Message): string | undefined {
  const [first] = content;
  const isResult = content.every(({ kind }) => kind.case === "toolResult");
  return isResult && first?.kind.case === "toolResult" ? first.kind.value.toolUseId : undefined;
}
