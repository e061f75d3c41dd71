import type { AuditAction } from "../../vocabulary/audit-actions.ts";
import type { AuditKey, AuditState } from "./audit-state.ts";

/** A state before and after it was changed. */
export interface AuditChange {
  readonly before: AuditState | undefined;
  readonly after: AuditState;
}

/** The store of the states that all processes share. */
export interface AuditStore {
  /**
   * Changes a state as `change` says, which is called again where another process inserted it first. What a person
   * changes has an action, under which the audit log keeps it.
   */
  change(
    key: AuditKey,
    change: (known: AuditState | undefined) => AuditState,
    action?: AuditAction | undefined,
  ): Promise<AuditChange>;
  readAll(): Promise<AuditState[]>;
}

/**
 * Why an answer was drawn and not compared: no room in the queue, no calls left (`budget`), no money left (`spend`), a
 * prompt that was compared before, a call that failed, or no database.
 */
export type AuditSkip = "full" | "budget" | "spend" | "repeated" | "failed" | "store";

/** Watches what is compared. */
export interface AuditWatch {
  /** A plain call was made for a comparison; its cost is undefined if it is not known. */
  called(key: AuditKey, costNanos: number | undefined): void;
  compared(key: AuditKey): void;
  skipped(why: AuditSkip): void;
}
