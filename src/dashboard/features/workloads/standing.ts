import type { WorkloadControls } from "../../../store/dashboard/learned.ts";
import type { LearnedSummary } from "../../../store/dashboard/reads/read-learned.ts";

/** The standing of a workload, in one word. */
type WorkloadStanding =
  /** Nothing is decided or learned. */
  | "off"
  /** An operator holds it: one model answers wherever it can, or only base. */
  | "pinned"
  | "frozen"
  /** The catalog does not have its base any more. */
  | "gone"
  /** There is no feedback, or too little, to tell anything by. */
  | "waiting"
  | "learning"
  /** An account is overdrawn: base answers. */
  | "closed"
  /** Decisions are recorded, and base answers. */
  | "observing"
  /** Another one answers in some families, and nothing shows yet that it is better. */
  | "exploring"
  /** Others answer in some families, or in none. */
  | "routed"
  | "base";

/** Rewards below which nothing is said of who is best. */
const FEW_REWARDS = 20;

/** Says how a workload stands. */
export function getStanding(
  { mode, hold }: Pick<WorkloadControls, "mode" | "hold">,
  learned: Pick<LearnedSummary, "figures" | "provenShare"> | undefined,
  isServed: boolean,
): WorkloadStanding {
  if (!isServed) return "gone";
  if (mode === "off") return "off";
  if (mode === "on" && hold !== undefined) return hold.kind;
  const figures = learned?.figures ?? undefined;
  if (figures === undefined || figures.rewards === 0) return "waiting";
  if (!figures.hasRoom) return "closed";
  if (figures.rewards < FEW_REWARDS) return "learning";
  if (mode === "observe") return "observing";
  if (figures.routedShare === 0) return "base";
  return learned?.provenShare ? "routed" : "exploring";
}
