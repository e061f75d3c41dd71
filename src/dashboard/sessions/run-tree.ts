import type { RunCall } from "../../store/dashboard/session-runs.ts";

/** A session of a run, with its calls and those that began within it, in order. */
export interface SessionNode<Step> {
  readonly sessionId: string;
  readonly steps: readonly (
    | { readonly kind: "call"; readonly call: Step }
    | { readonly kind: "session"; readonly session: SessionNode<Step> }
  )[];
}

/** Puts calls, which are in order of time, under their sessions, and sessions under those that began them. */
export function runTree<Step>(
  calls: readonly RunCall[],
  rootId: string,
  describe: (call: RunCall) => Step,
): SessionNode<Step> {
  const nodes = new Map<string, { sessionId: string; steps: SessionNode<Step>["steps"][number][] }>();
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
      parent.steps.push({ kind: "session", session: node(sessionId) });
    }
    node(sessionId).steps.push({ kind: "call", call: describe(call) });
  }
  return root;
}
