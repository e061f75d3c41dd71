import type { SavingKind } from "../../../hub/saving-kinds.ts";

/** The labels of each kind of saving. */
const SAVING_NAMES: Record<SavingKind, { readonly label: string; readonly text: string }> = {
  cacheMarks: {
    label: "Cache marks",
    text: "discount for prompts that Attune marked for a cache, less the cost of writing to it",
  },
  coalescing: {
    label: "Coalescing",
    text: "cost of the call that an identical request in progress saved",
  },
  responseCache: {
    label: "Response cache",
    text: "cost of the call that a cached answer saved",
  },
  choice: {
    label: "Choice of deployments",
    text: "price of the first deployment, less the price of the deployment that answered",
  },
  routing: {
    label: "Other models",
    text: "price of the requested model, less the price of the model that answered, for the same number of tokens",
  },
  failover: {
    label: "Failover",
    text: "cost of failed calls, and the price difference of the deployment that answered",
  },
  hedging: {
    label: "Hedging",
    text: "cost of second calls next to slow ones, and price difference of the deployment that answered",
  },
  retry: {
    label: "Checked retries",
    text: "cost of answers that failed a check, and the price difference of the deployment that answered",
  },
  candidates: {
    label: "Candidates",
    text: "cost of the candidates that were not chosen, and the price difference of the chosen one",
  },
};

/** Lists what was saved by kind, the most first. */
export function listSavings(saved: Readonly<Partial<Record<SavingKind, number>>>) {
  return Object.entries(saved)
    .map(([kind, nanos]) => ({ kind: kind as SavingKind, nanos, ...SAVING_NAMES[kind as SavingKind] }))
    .sort((a, b) => b.nanos - a.nanos);
}
