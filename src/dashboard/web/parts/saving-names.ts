import type { SavingKind } from "../../../lib/saving-kinds.ts";

/** What saved something, and how it is told how much. */
const SAVING_NAMES: Record<SavingKind, { readonly label: string; readonly text: string }> = {
  cacheMarks: {
    label: "Cache marks",
    text: "what reading the prompt from a cache took off, less what writing it there cost more, where Attune had marked it",
  },
  coalescing: {
    label: "Shared answers",
    text: "what the call would have cost that an identical request under way spared",
  },
  responseCache: {
    label: "Kept answers",
    text: "what the call would have cost that the answer to an identical request spared",
  },
  choice: {
    label: "Choice of deployments",
    text: "the same tokens at the price of the model's first deployment, less their price where they were answered",
  },
  routing: {
    label: "Other models",
    text: "as many tokens at the price of the model that was asked for, less their price at the one that answered; it might have needed more or fewer",
  },
  failover: {
    label: "Failover",
    text: "what calls cost that failed before another one answered, and the difference in price of where that was",
  },
  hedging: {
    label: "Hedging",
    text: "what calls beside slow ones cost, and the difference in price of where the first words came from",
  },
  retry: {
    label: "Retries by check",
    text: "what calls cost whose answers failed a check or were no better than such, and the difference in price of where the other answer came from",
  },
  candidates: {
    label: "Candidates",
    text: "what the answers cost that callers asked for to choose from and that were not chosen, and the difference in price of where the chosen one came from",
  },
};

/** Lists what was saved by kind, the most first. */
export function listSavings(saved: Readonly<Partial<Record<SavingKind, number>>>) {
  return Object.entries(saved)
    .map(([kind, nanos]) => ({ kind: kind as SavingKind, nanos, ...SAVING_NAMES[kind as SavingKind] }))
    .sort((a, b) => b.nanos - a.nanos);
}
