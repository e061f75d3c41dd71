import { describe, expect, it } from "vitest";
import { listSteps } from "../../../../../src/dashboard/web/pages/sessions/list-steps.ts";
import type { RunCall, RunNode } from "../../../../../src/dashboard/web/pages/sessions/use-session-run.ts";

const call = (id: string) => ({ kind: "call" as const, call: { id } as RunCall });

describe("listSteps()", () => {
  it("lists sessions before their calls, deeper than those that began them", () => {
    const tree: RunNode = {
      sessionId: "run",
      steps: [call("a"), { kind: "session", session: { sessionId: "sub", steps: [call("b")] } }, call("c")],
    };
    expect(listSteps(tree)).toEqual([
      { ...call("a"), depth: 0, number: 1 },
      { kind: "session", depth: 1, sessionId: "sub" },
      { ...call("b"), depth: 1, number: 2 },
      { ...call("c"), depth: 0, number: 3 },
    ]);
  });
});
