import type { RunCall, RunNode } from "./use-session-run.ts";

/** A line of a run: a session that begins, or a call. */
export type StepLine =
  | { readonly kind: "session"; readonly depth: number; readonly sessionId: string }
  | { readonly kind: "call"; readonly depth: number; readonly number: number; readonly call: RunCall };

/** Lists the steps of a run in the order of its tree, sessions before their calls. */
export function listSteps(node: RunNode): StepLine[] {
  const lines: StepLine[] = [];
  let calls = 0;
  const walk = ({ steps }: RunNode, depth: number) => {
    for (const step of steps) {
      if (step.kind === "call") {
        calls += 1;
        lines.push({ kind: "call", depth, number: calls, call: step.call });
      } else {
        lines.push({ kind: "session", depth: depth + 1, sessionId: step.session.sessionId });
        walk(step.session, depth + 1);
      }
    }
  };
  walk(node, 0);
  return lines;
}

/** Returns how far a line is from the edge: subagents stand below the session that began them. */
export function indentOf(depth: number): string {
  return `${1 + 1.5 * depth}rem`;
}
