import type { QuotaBook } from "./quota.ts";
import type { QuotaLedger } from "./quota-ledger.ts";

/** The kinds of owners whose budgets count what no caller has asked for. */
const KINDS: ReadonlySet<string> = new Set(["installation", "project"]);

/** Reserves money for calls that Attune makes for itself, in the budgets of their project and of the installation. */
export function createShadowBudgets({ book, ledger }: { readonly book: QuotaBook; readonly ledger: QuotaLedger }) {
  return {
    /** Resolves to what replaces the money with what was spent; undefined where a budget has no room for it. */
    async reserve(projectId: string, nanos: number): Promise<((spentNanos: number) => void) | undefined> {
      const quotas = book.find({ projectId, keyId: "", endUserId: undefined, tags: {} });
      const own = quotas.filter(({ kind }) => KINDS.has(kind));
      const reserved = await ledger.reserve(own, { costNanos: nanos });
      return "rule" in reserved ? undefined : (costNanos) => reserved.settle({ costNanos });
    },
  };
}
