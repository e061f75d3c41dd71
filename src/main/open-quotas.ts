import { budgetSubject, endUserOwner } from "../alerts/budget-subject.ts";
import type { LocalSignals } from "../alerts/local-signals.ts";
import type { Config } from "../config/config.ts";
import type { CallLimiter } from "../inference/ports.ts";
import type { ShadowBudgets } from "../learning/shadow/ports.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createCallLimiter } from "../quotas/call-limiter.ts";
import { Leaser } from "../quotas/leaser.ts";
import type { QuotaBook } from "../quotas/quota.ts";
import { QuotaLedger } from "../quotas/quota-ledger.ts";
import { type BudgetUse, createQuotaWatch } from "../quotas/quota-watch.ts";
import { createShadowBudgets } from "../quotas/shadow-budgets.ts";
import { createStoreLeases } from "../store/quotas/store-leases.ts";
import type { Setup } from "./setup.ts";

/** The limiter of calls, open. */
interface Quotas {
  readonly limiter: CallLimiter;
  /** The budgets that shadow trials count in. */
  readonly budgets: ShadowBudgets;
  /** Gives back what this process has leased. */
  close(): Promise<void>;
}

/** The ports of the limiter. */
interface QuotaPorts extends Pick<Setup, "store" | "log"> {
  /** The clock that all processes of the database share. */
  readonly now: () => number;
  readonly book: QuotaBook;
  /** The settings that hold now. */
  readonly settings: () => Config["quotas"];
  readonly countWarning: Metrics["countQuotaWarning"];
  /** The signals to which budgets report how much of them is used. */
  readonly signals: LocalSignals;
}

const SWEEP_MS = 60_000;

/** Opens what counts calls in the quotas of their callers. */
export function openQuotas({ store, log, now, book, settings, countWarning, signals }: QuotaPorts): Quotas {
  const leaser = new Leaser({
    leases: createStoreLeases(store),
    now,
    onAway: (error) => log.warn({ err: error }, "cannot lease quotas: calls are limited by what was leased before"),
    watch: createQuotaWatch({
      warnAt: () => settings().warnAt,
      warn(warning) {
        countWarning(warning);
        if (warning.isBudget) log.warn({ quota: warning }, "a budget is nearly spent");
      },
      report: (use) => reportBudget(signals, use, now()),
    }),
  });
  const ledger = new QuotaLedger(now, { leaser, whenAway: () => settings().whenDatabaseAway });
  const timer = setInterval(() => ledger.sweep(), SWEEP_MS);
  timer.unref();
  return {
    limiter: createCallLimiter({
      book,
      ledger,
      now,
      reserve: () => settings().reserve,
      hidesModels: () => settings().hideModels,
    }),
    budgets: createShadowBudgets({ book, ledger }),
    async close() {
      clearInterval(timer);
      await leaser.close();
    },
  };
}

/** Reports the use of a budget to the rules about budgets, until its window ends. */
function reportBudget(signals: LocalSignals, { subject, rule, share, untilMs }: BudgetUse, nowMs: number): void {
  const { owner, projectId, keyId } = parseSubject(subject);
  const budget = { kind: "budget", subject: budgetSubject(rule, owner), projectId, keyId } as const;
  if (share === undefined) signals.clear(budget);
  else signals.set({ ...budget, value: share, expiresAtMs: untilMs }, nowMs);
}

/** Reads `project:ID`, `key:PUBLIC`, `tag:PROJECT/NAME`, `end-user:PROJECT/NAME` and `installation`. */
function parseSubject(subject: string) {
  const [, kind = subject, rest = ""] = /^([a-z-]+):(.*)$/s.exec(subject) ?? [];
  if (kind === "project") return { owner: "the project", projectId: rest };
  if (kind === "key") return { owner: `key ${rest}`, projectId: "", keyId: rest };
  const [, projectId = "", name = ""] = /^([^/]*)\/(.*)$/s.exec(rest) ?? [];
  if (kind === "end-user") return { owner: endUserOwner(name), projectId };
  return { owner: kind === "installation" ? "the installation" : `${kind} ${name}`, projectId };
}
