import type { KeyObject } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { newId } from "../lib/ids.ts";
import { RepeatedTask } from "../lib/tasks/repeated-task.ts";
import { type DeliverPorts, deliverDue } from "./deliver.ts";
import { configuredDestinations, type Destination, ownedDestination } from "./destinations.ts";
import { compareAlerts, findConditions, isOfCalls, type Readings } from "./evaluate.ts";
import { ALERT_KINDS, type AlertKind } from "./kinds.ts";
import type { LocalSignals } from "./local-signals.ts";
import { alertMessage, type MessageContext } from "./message.ts";
import type { AlertRecord, AlertStore, CallWindows, LearningFact, NewDelivery } from "./ports.ts";
import { RuleBook } from "./rules.ts";
import type { AlertSettings } from "./settings.ts";

/** The ports of a keeper. */
export interface KeeperPorts extends Pick<DeliverPorts, "send" | "count"> {
  readonly store: AlertStore;
  /** The settings that hold now. */
  readonly settings: () => AlertSettings;
  readonly signingKey: KeyObject;
  /** The conditions of this process. */
  readonly signals: LocalSignals;
  /** Told of alerts that were opened and closed. */
  readonly onChange: (changed: Awaited<ReturnType<AlertStore["change"]>>) => void;
  /** Told how many alerts are open by kind, where this process evaluates. */
  readonly onCount: (open: ReadonlyMap<AlertKind, number>) => void;
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const TICK_MS = 5000;
const EVALUATE_MS = 30_000;
const CLEAN_MS = 3_600_000;
/** A lease is renewed, or asked for, so often: it is one write of each process. */
const RENEW_MS = 15_000;
const LEASE_MS = 45_000;
/** The kinds that are read of the history of workloads. */
const LEARNING_KINDS: readonly LearningFact["kind"][] = ["drift", "regret-budget", "crowded-metrics"];
/** Time limit of giving up the lease. */
const RELEASE_LIMIT_MS = 3000;
/** Alerts that one turn writes messages about. */
const MOST_UNTOLD = 5000;
/** Entries of one message of the audit log. */
const AUDIT_ENTRIES = 100;
const MINUTE_MS = 60_000;

/**
 * Evaluates the rules and sends messages, in one process of those on a database: that which holds the lease. What is
 * open, and what is still to be sent, is in the store, so that another process goes on where one has ended.
 */
export class AlertKeeper {
  readonly #ports: KeeperPorts;
  #task: RepeatedTask | undefined;
  #isHolder = false;
  #askedMs = Number.NEGATIVE_INFINITY;
  #evaluatedMs = Number.NEGATIVE_INFINITY;
  #cleanedMs = Number.NEGATIVE_INFINITY;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#task = new RepeatedTask(TICK_MS, () => this.tick());
  }

  /** Ends; another process may take over at once. */
  async close(): Promise<void> {
    await this.#task?.close();
    const late = delay(RELEASE_LIMIT_MS, undefined, { ref: false });
    await Promise.race([this.#ports.store.release().catch(() => {}), late]);
  }

  /** Takes a turn. Never rejects. */
  async tick(): Promise<void> {
    try {
      if (!this.#ports.settings().enabled) return;
      await this.#report();
      if (await this.#holds()) await this.#work();
      else this.#ports.onCount(new Map());
    } catch (error) {
      this.#askedMs = Number.NEGATIVE_INFINITY;
      this.#ports.onFailure(error);
    }
  }

  /** Tells whether this process is the one that evaluates. Two that take themselves for it do nothing twice. */
  async #holds(): Promise<boolean> {
    const nowMs = this.#ports.now();
    if (!isOver(this.#askedMs, RENEW_MS, nowMs)) return this.#isHolder;
    this.#isHolder = await this.#ports.store.acquire(LEASE_MS);
    this.#askedMs = nowMs;
    return this.#isHolder;
  }

  async #report(): Promise<void> {
    const { signals, store, now } = this.#ports;
    for (let changed = signals.take(now()); changed.size > 0; changed = signals.take(now())) {
      try {
        await store.writeSignals(changed);
      } catch (error) {
        signals.restore(changed);
        throw error;
      }
    }
  }

  async #work(): Promise<void> {
    const { store, now } = this.#ports;
    const nowMs = now();
    if (isOver(this.#evaluatedMs, EVALUATE_MS, nowMs)) {
      this.#evaluatedMs = nowMs;
      await this.#evaluate(nowMs);
    }
    await this.#tell(nowMs);
    const audited = configuredDestinations(this.#ports.settings()).find(({ sends }) => sends.includes("audit-log"));
    if (audited !== undefined) await store.enqueueAudit(audited.id, AUDIT_ENTRIES);
    await this.#deliver();
    if (!isOver(this.#cleanedMs, CLEAN_MS, nowMs)) return;
    this.#cleanedMs = nowMs;
    await store.deleteOld();
  }

  async #evaluate(nowMs: number): Promise<void> {
    const { store, settings, onChange, onCount } = this.#ports;
    const rules = new RuleBook(settings().rules, await store.readRules());
    const calls = await store.sampleCalls(nowMs);
    const readings: Readings = {
      calls,
      signals: await store.readSignals(),
      learning: await this.#readLearning(rules, nowMs),
    };
    const open = await store.readOpen();
    const isKnown = (alert: AlertRecord): boolean => coversWindow(alert, { rules, calls });
    const changed = await store.change(compareAlerts(open, findConditions(rules, readings), { nowMs, isKnown }));
    onChange(changed);
    const closed = new Set(changed.closed.map(({ id }) => id));
    const left = [...open.filter(({ id }) => !closed.has(id)), ...changed.opened];
    onCount(new Map([...Map.groupBy(left, ({ kind }) => kind)].map(([kind, alerts]) => [kind, alerts.length])));
  }

  async #readLearning(rules: RuleBook, nowMs: number): Promise<ReadonlyMap<number, readonly LearningFact[]>> {
    const windows = new Set(LEARNING_KINDS.flatMap((kind) => rules.windows(kind)));
    const facts = new Map<number, readonly LearningFact[]>();
    for (const minutes of windows)
      facts.set(minutes, await this.#ports.store.readLearning(nowMs - minutes * MINUTE_MS));
    return facts;
  }

  /** Writes messages about what has changed. */
  async #tell(nowMs: number): Promise<void> {
    const { store, settings, signingKey } = this.#ports;
    const unsent = await store.readUntold(MOST_UNTOLD);
    if (unsent.length === 0) return;
    const projectIds = [...new Set(unsent.map(({ projectId }) => projectId))].filter((id) => id !== "");
    const own = projectIds.length === 0 ? [] : await store.readDestinations(projectIds);
    const destinations = [
      ...configuredDestinations(settings()),
      ...own.map((destination) => ownedDestination(destination, { signingKey, settings: settings() })),
    ];
    const names = projectIds.length === 0 ? new Map<string, string>() : await store.readProjectNames(projectIds);
    const { dashboardUrl } = settings();
    await store.tell(unsent, writeMessages(unsent, destinations, { names, now: new Date(nowMs), dashboardUrl }));
  }

  async #deliver(): Promise<void> {
    const { store, send, count, now } = this.#ports;
    await deliverDue({ store, send, count, now, findDestination: (id, projectId) => this.#find(id, projectId) });
  }

  async #find(id: string, projectId: string): Promise<Destination | undefined> {
    const { store, settings, signingKey } = this.#ports;
    if (projectId === "") return configuredDestinations(settings()).find((destination) => destination.id === id);
    const own = (await store.readDestinations([projectId])).find((destination) => destination.id === id);
    return own && ownedDestination(own, { signingKey, settings: settings() });
  }
}

/** Tells whether a time is over since another one; a clock that was set back must not stop anything. */
function isOver(sinceMs: number, ms: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) >= ms;
}

/** Tells whether what was not seen is over: a process that has begun late does not know the whole window. */
function coversWindow(
  { kind, rule }: AlertRecord,
  { rules, calls }: { readonly rules: RuleBook; readonly calls: CallWindows },
): boolean {
  if (!isOfCalls(kind)) return true;
  const windows = rules.windows(kind, rule);
  return windows.every((minutes) => calls.covers(Math.min(minutes, ALERT_KINDS[kind].maxWindowMinutes)));
}

/**
 * Writes the messages about alerts: for each destination one about all alerts of a rule that were opened, and one about
 * all that are over.
 */
function writeMessages(
  alerts: readonly AlertRecord[],
  destinations: readonly Destination[],
  context: MessageContext,
): NewDelivery[] {
  return destinations
    .filter(({ sends }) => sends.includes("alerts"))
    .flatMap((destination) => {
      const own = alerts.filter((alert) => isFor(alert, destination));
      const groups = Map.groupBy(own, ({ rule, closedAt }) => `${closedAt === null} ${rule}`);
      return [...groups.values()].map((group) => {
        const type = group[0]?.closedAt === null ? "alert.opened" : "alert.closed";
        const body = JSON.stringify(alertMessage(type, group, context));
        return { id: newId(), projectId: destination.projectId ?? "", destination: destination.id, type, body };
      });
    });
}

/** Destinations of the configuration are sent the alerts of all projects, a project's own those of the project. */
function isFor({ projectId, rule }: AlertRecord, destination: Destination): boolean {
  if (destination.projectId !== undefined && destination.projectId !== projectId) return false;
  return destination.rules?.includes(rule) ?? true;
}
