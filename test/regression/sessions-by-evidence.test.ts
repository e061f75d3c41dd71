import { describe, expect, it } from "vitest";
import { hasRoom } from "../../src/learning/bandit/budget-usage.ts";
import { learn } from "../../src/learning/bandit/learn.ts";
import { PendingDecisions } from "../../src/learning/bandit/pending-decisions.ts";
import { weighEvidence } from "../../src/learning/bandit/shadow/weigh-evidence.ts";
import type { WorkloadState } from "../../src/learning/bandit/workload-state.ts";
import type { LearnedWorkload } from "../../src/learning/workload.ts";
import { type ChosenArm, SessionChoices, type SessionPeers } from "../../src/routing/session-choices.ts";
import { chooseModel } from "../../src/routing/steps/choose-model.ts";
import { denseWorkload, dislikeUntil } from "../learning/bandit/shadow/dense-workload.ts";
import { CONTROLS } from "../support/controls.ts";
import { stubModel } from "../support/stub-upstream.ts";

const CALLER = { projectId: "p", keyId: "k" };
const modelOf = (name: string) => ({ ...stubModel, name });

/** A process with decisions and choices of its own, which learns what all learn. */
interface Replica {
  readonly workload: LearnedWorkload;
  readonly choices: SessionChoices;
}

/** Starts processes that tell each other what they chose. */
function startReplicas(count: number, state: WorkloadState): Replica[] {
  const replicas: Replica[] = [];
  const peersOf = (own: number): SessionPeers => ({
    tell(chosen: ChosenArm) {
      for (const [at, { choices }] of replicas.entries()) if (at !== own) choices.hear(chosen);
    },
    heardSinceMs: Number.NEGATIVE_INFINITY,
    read: async () => undefined,
  });
  for (let own = 0; own < count; own++) {
    const workload = {
      key: { projectId: "p", model: "base" },
      controls: { ...CONTROLS, feedback: "complete" } as const,
      state,
      clusters: new Map(),
      selector: undefined,
      version: 1,
      pendingDecisions: new PendingDecisions(),
    };
    replicas.push({ workload, choices: new SessionChoices(() => 0, peersOf(own)) });
  }
  return replicas;
}

/** One unary call of a session at a process. */
function call({ workload, choices }: Replica, session: string) {
  const choice = choices.call(CALLER, { sessionSource: "attune-session", sessionId: session }, "base");
  const { model, decision } = chooseModel({
    base: modelOf("base"),
    workload,
    family: "a",
    session: choice,
    seed: choice.seed,
    context: { origin: () => undefined, awaiting: () => undefined },
    find: modelOf,
    fits: () => true,
    isBestOfNAllowed: () => false,
  });
  return { name: model.name, kept: decision.kept };
}

/** A workload whose regret budget has no room, while a proven judge lets "good" go on. */
function judgedWorkload(): WorkloadState {
  const state = denseWorkload({ isJudged: true });
  dislikeUntil(state, () => !hasRoom(state));
  return state;
}

describe("a session while only evidence lets another model answer", () => {
  it("goes on with its model in each process, whatever chance says", () => {
    const [first, ...others] = startReplicas(3, judgedWorkload());
    if (first === undefined) throw new Error("there is no first process");
    const begun = Array.from({ length: 300 }, (_, at) => [`s${at}`, call(first, `s${at}`).name] as const);
    expect(new Set(begun.map(([, name]) => name))).toEqual(new Set(["good", "base"]));
    for (const [session, name] of begun) {
      for (const replica of [...others, first]) expect(call(replica, session)).toEqual({ name, kept: "session" });
    }
  });

  it("goes on with what it began with while there was room", () => {
    const [replica] = startReplicas(1, judgedWorkload());
    if (replica === undefined) throw new Error("there is no process");
    for (let at = 0; at < 300; at++) {
      const session = { sessionSource: "attune-session", sessionId: `s${at}` };
      replica.choices.call(CALLER, session, "base").keep("good");
      expect(call(replica, `s${at}`)).toEqual({ name: "good", kept: "session" });
    }
  });

  it("leaves a model that the evidence does not speak for, and one that people say has lost too much", () => {
    const state = judgedWorkload();
    const [replica] = startReplicas(1, state);
    if (replica === undefined) throw new Error("there is no process");
    const begin = (session: string, arm: string) =>
      replica.choices.call(CALLER, { sessionSource: "attune-session", sessionId: session }, "base").keep(arm);
    begin("poor", "poor");
    expect(["good", "base"]).toContain(call(replica, "poor").name);
    begin("good", "good");
    for (let at = 0; at < 200; at++) learn(state, { kind: "rewarded", family: "a", arm: 1, reward: 0 });
    weighEvidence(state);
    expect(call(replica, "good").name).toBe("base");
  });
});
