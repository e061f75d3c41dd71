import type { RunCall } from "../../../store/dashboard/reads/read-session-run.ts";

/** A line of a run: a session that begins, or a call. */
type RunStep =
  | { readonly kind: "session"; readonly depth: number; readonly sessionId: string }
  | {
      readonly kind: "call";
      readonly depth: number;
      /** Its place among all calls of the run in order of time, from 1. */
      readonly number: number;
      readonly call: RunCall;
    };

interface Node {
  readonly sessionId: string;
  readonly steps: (RunCall | Node)[];
}

/** Lists calls, which are in order of time, below their sessions, and sessions below those that began them. */
export function listRunSteps(calls: readonly RunCall[], rootId: string): RunStep[] {
  const lines: RunStep[] = [];
  const numbers = new Map(calls.map((call, at) => [call, at + 1]));
  const walk = ({ steps }: Node, depth: number) => {
    for (const step of steps) {
      if ("steps" in step) {
        lines.push({ kind: "session", depth: depth + 1, sessionId: step.sessionId });
        walk(step, depth + 1);
      } else {
        lines.push({ kind: "call", depth, number: numbers.get(step) ?? 0, call: step });
      }
    }
  };
  walk(putTogether(calls, rootId), 0);
  return lines;
}

function putTogether(calls: readonly RunCall[], rootId: string): Node {
  const nodes = new Map<string, Node>();
  const node = (sessionId: string) => {
    const found = nodes.get(sessionId) ?? { sessionId, steps: [] };
    nodes.set(sessionId, found);
    return found;
  };
  const root = node(rootId);
  for (const call of calls) {
    const sessionId = call.sessionId ?? rootId;
    if (!nodes.has(sessionId)) {
      // One whose parent has no call of its own here stands below the root.
      const parent = nodes.get(call.parentSessionId ?? "") ?? root;
      parent.steps.push(node(sessionId));
    }
    node(sessionId).steps.push(call);
  }
  return root;
}
