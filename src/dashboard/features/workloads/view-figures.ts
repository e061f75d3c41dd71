import type { FamilyFigures, WorkloadFigures } from "../../../learning/learner/figures.ts";

/** Standard deviations to either side of an interval of 95 %. */
const REACH = 1.96;

/** An estimate with its interval of 95 %. */
export interface EstimateView {
  readonly worth: number;
  readonly low: number;
  readonly high: number;
}

/** Describes an estimate by its interval; rewards are from 0 to 1. */
export function viewEstimate({ worth, doubt }: { readonly worth: number; readonly doubt: number }): EstimateView {
  const within = (reward: number) => Math.min(1, Math.max(0, reward));
  return { worth: within(worth), low: within(worth - REACH * doubt), high: within(worth + REACH * doubt) };
}

/** Describes what is known of a workload: base, the others, those that are worth the most first, and the accounts. */
export function viewFigures({ base, arms, chosen, accounts, ...rest }: WorkloadFigures) {
  const own = arms.find(({ model }) => model === base);
  const viewed = arms.map(({ doubt, worth, ...arm }) => ({
    ...arm,
    isBase: arm.model === base,
    ...viewEstimate({ worth, doubt }),
    ahead: difference({ worth, doubt }, own),
  }));
  viewed.sort((one, other) => Number(other.isBase) - Number(one.isBase) || other.worth - one.worth);
  return {
    ...rest,
    arms: viewed,
    chosen: { ...viewEstimate(chosen), ahead: difference(chosen, own) },
    accounts: accounts.map(({ name, loss, budget }) => ({ name, loss, budget, used: usedShare(loss, budget) })),
  };
}

/** Describes a family. */
export function viewFamily({ base, ofChosen, ...facts }: FamilyFigures) {
  return { ...facts, base: viewEstimate(base), ofChosen: viewEstimate(ofChosen) };
}

/** The used part of a budget; a gain uses nothing of it. */
export function usedShare(loss: number, budget: number): number {
  return budget > 0 ? Math.max(0, loss) / budget : 1;
}

/** Returns the difference to base with its interval; the two are taken as independent. */
function difference(one: Estimate, base: Estimate | undefined): EstimateView | null {
  if (base === undefined) return null;
  const worth = one.worth - base.worth;
  const reach = REACH * Math.hypot(one.doubt, base.doubt);
  return { worth, low: worth - reach, high: worth + reach };
}

interface Estimate {
  readonly worth: number;
  readonly doubt: number;
}
