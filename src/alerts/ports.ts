import type { AlertKind } from "./kinds.ts";
import type { MessageType } from "./message-types.ts";
import type { OwnedRule } from "./rules.ts";

/** Calls in a window of time. */
export interface CallFigures {
  readonly calls: number;
  readonly failedCalls: number;
  /** Calls that their callers left before the end; `calls` does not count them. */
  readonly canceledCalls: number;
  /** Cost of all calls, and of those that were left, in nano-USD. */
  readonly costNanos: number;
  readonly canceledCostNanos: number;
  /** Calls that were refused for their key: unknown, revoked or expired. */
  readonly refusedKeys: number;
  /** Of completed calls; undefined where there are none. */
  readonly latencyP95Ms: number | undefined;
}

/** Calls by project, as the rollups counted them. */
export interface CallWindows {
  /** Returns figures of the latest minutes by project; calls of no known project have an empty id. */
  within(minutes: number): ReadonlyMap<string, CallFigures>;
  /** Returns the figures of all projects together. */
  total(minutes: number): CallFigures;
  /** Returns whether the whole window was watched: what a process has not seen may still hold. */
  covers(minutes: number): boolean;
}

/** Something that happened to a workload. */
export interface LearningFact {
  readonly kind: "drift" | "regret-budget" | "crowded-metrics";
  readonly projectId: string;
  readonly model: string;
}

/** A condition that a process reports of itself, until it expires or is taken back. */
export interface Signal {
  readonly kind: Extract<AlertKind, "budget" | "deployment" | "spool">;
  readonly subject: string;
  /** Empty for the installation, and where `keyId` says whose it is. */
  readonly projectId: string;
  /** Public id of the key that it is about, whose project the store looks up. */
  readonly keyId?: string | undefined;
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** A condition that a rule tells of. */
export interface Condition {
  readonly projectId: string;
  readonly rule: string;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly summary: string;
  readonly value: number;
  readonly threshold: number;
}

/** An alert, as it is stored. */
export interface AlertRecord extends Condition {
  readonly id: string;
  readonly openedAt: Date;
  readonly seenAt: Date;
  readonly closedAt: Date | null;
}

/** The changes of one evaluation. */
export interface AlertChanges {
  readonly opened: readonly Condition[];
  /** Open ones whose condition was seen again. */
  readonly seen: readonly { readonly id: string; readonly condition: Condition; readonly isChanged: boolean }[];
  /** Ids of those whose condition is over. */
  readonly closed: readonly string[];
}

/** A message to one destination. */
export interface Delivery {
  readonly id: string;
  readonly projectId: string;
  /** `config:NAME`, or the id of a project's own. */
  readonly destination: string;
  readonly type: MessageType;
  /** JSON. */
  readonly body: string;
  /** Attempts so far. */
  readonly attempts: number;
  readonly createdAt: Date;
}

export type NewDelivery = Pick<Delivery, "id" | "projectId" | "destination" | "type" | "body">;

/** The end of an attempt. */
export interface DeliveryOutcome {
  readonly state: "pending" | "delivered" | "failed";
  readonly status: number | null;
  readonly problem: string | null;
  /** When it is tried again; ignored unless it is pending. */
  readonly nextAt: Date;
}

/** A destination of a project's own. */
export interface OwnedDestination {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly kind: DestinationKind;
  readonly target: string;
}

export const DESTINATION_KINDS = ["webhook", "slack", "email"] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** The store of alerts. */
export interface AlertStore {
  /** Makes this process the one that evaluates and sends, for a while; false where another one is. */
  acquire(leaseMs: number): Promise<boolean>;
  /** Lets another process take over at once. */
  release(): Promise<void>;
  readRules(): Promise<readonly OwnedRule[]>;
  /** Reads the destinations of projects; all where no ids are given. */
  readDestinations(projectIds?: readonly string[]): Promise<readonly OwnedDestination[]>;
  /** Returns the names of projects by their ids. */
  readProjectNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads what was called since the last time, and returns what is known. */
  sampleCalls(nowMs: number): Promise<CallWindows>;
  /** Reads the workloads that have drifted, or whose regret budget is exhausted, since a time. */
  readLearning(sinceMs: number): Promise<readonly LearningFact[]>;
  /** Replaces the signals of this process that have changed, some hundreds at most; undefined takes one back. */
  writeSignals(changed: ReadonlyMap<string, Signal | undefined>): Promise<void>;
  /** Reads the signals of all processes that have not expired. */
  readSignals(): Promise<readonly Signal[]>;
  readOpen(): Promise<readonly AlertRecord[]>;
  /** Writes what an evaluation found. Resolves to the alerts that were opened and closed. */
  change(
    changes: AlertChanges,
  ): Promise<{ readonly opened: readonly AlertRecord[]; readonly closed: readonly AlertRecord[] }>;
  /** Writes an alert that was told of without the store. Several processes write the same one. */
  record(alert: AlertRecord): Promise<void>;
  /** Reads alerts whose last change has no message yet, the oldest first. */
  readUntold(limit: number): Promise<readonly AlertRecord[]>;
  /** Writes the messages about alerts; writes nothing, and resolves to false, where another process has. */
  tell(alerts: readonly AlertRecord[], deliveries: readonly NewDelivery[]): Promise<boolean>;
  /** Takes messages that are due, for an attempt each. */
  takeDue(limit: number): Promise<readonly Delivery[]>;
  finish(id: string, outcome: DeliveryOutcome): Promise<void>;
  /** Writes the next entries of the audit log as one message, unless one is on its way. */
  enqueueAudit(destination: string, limit: number): Promise<boolean>;
  /** Deletes what ended long ago. */
  deleteOld(): Promise<void>;
}
