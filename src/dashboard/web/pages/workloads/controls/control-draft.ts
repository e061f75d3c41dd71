import type { ControlChanges, WorkloadDetails } from "../use-workloads.ts";

/** What is said of a workload, or of all of a project. */
export type OwnSettings = WorkloadDetails["own"];

/** What a form has: "" leaves it to whom it is left to. */
export interface ControlDraft {
  readonly mode: "" | "off" | "observe" | "on";
  readonly hold: "" | "free" | "frozen" | "pinned";
  readonly pinned: string | null;
  readonly excluded: readonly string[];
}

/** Begins a form with what is said. */
export function toDraft({ mode, hold, pinned, excluded }: OwnSettings): ControlDraft {
  return { mode: mode ?? "", hold: hold ?? "", pinned, excluded: excluded ?? [] };
}

/** Why a form cannot be sent; undefined if it can. */
export function draftProblem({ hold, pinned }: ControlDraft): string | undefined {
  return hold === "pinned" && pinned === null ? "Choose the model that it is pinned to" : undefined;
}

/** What of a form is new: only that is sent, so that two people who change different things keep both. */
export function changesOf(draft: ControlDraft, own: OwnSettings): ControlChanges {
  const before = toDraft(own);
  const pinned = draft.hold === "pinned" ? draft.pinned : null;
  const isHeldOtherwise = draft.hold !== before.hold || (draft.hold === "pinned" && pinned !== before.pinned);
  const isSame = [...draft.excluded].sort().join("\n") === [...before.excluded].sort().join("\n");
  return {
    ...(draft.mode !== before.mode && { mode: draft.mode === "" ? null : draft.mode }),
    ...(isHeldOtherwise && { hold: draft.hold === "" ? null : draft.hold, pinned }),
    ...(!isSame && { excluded: draft.excluded.length === 0 ? null : [...draft.excluded] }),
  };
}
