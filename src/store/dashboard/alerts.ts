import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import type { AlertKind } from "../../alerts/kinds.ts";
import type { DestinationKind, OwnedDestination } from "../../alerts/ports.ts";
import type { AlertRule as Rule } from "../../alerts/rules.ts";
import { newId } from "../../lib/ids.ts";
import { toDestination, toRule } from "../alerts/alert-store.ts";
import { type AlertInfo, listAlertPage } from "../alerts/list-alerts.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import {
  AlertDelivery,
  type AlertDeliveryRow,
  AlertDestination,
  type AlertDestinationRow,
  AlertRule,
  type AlertRuleRow,
} from "../entities/alert.ts";
import { Project } from "../entities/project.ts";
import { QuotaError } from "../types/quotas.ts";
import type { Store } from "../types/store.ts";

/** Most tests of a project within a minute: whoever reads a mail that somebody else names did not ask for it. */
const MOST_TESTS = 10;
const MINUTE_MS = 60_000;

/** Most rules and destinations of a project. */
const MOST_RULES = 50;
const MOST_DESTINATIONS = 20;

/** A rule as a project has it. */
export type ProjectRule = Omit<Rule, "scope">;

/** An alert as a project sees it. */
interface ShownAlert {
  readonly id: string;
  /** True if it is of the installation, and not of the project alone. */
  readonly isOfAll: boolean;
  readonly rule: string;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly summary: string;
  readonly openedAt: Date;
  /** Null while it is open. */
  readonly closedAt: Date | null;
}

/** A page of alerts. */
interface AlertPage {
  /** Alerts that were opened before the one of this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A destination that is there now. */
interface AddedDestination {
  readonly destination: OwnedDestination;
  /** False where it was there before. */
  readonly isNew: boolean;
}

/** The end of a test that was sent at once. */
interface SentTest {
  readonly id: string;
  readonly body: string;
  readonly status: number | null;
  /** Undefined where it was delivered. */
  readonly problem: string | undefined;
}

type TestedDestination = Pick<OwnedDestination, "id" | "projectId" | "name">;

/** Alerts, rules and destinations, each seen from its project. */
export interface ProjectAlerts {
  /** Lists the alerts of a project, and those of the installation that touch everybody, the latest first. */
  list(projectId: string, page: AlertPage): Promise<readonly ShownAlert[]>;
  /** Lists those of them that are open. */
  open(projectId: string): Promise<readonly ShownAlert[]>;
  rules(projectId: string): Promise<readonly ProjectRule[]>;
  /** Sets a rule by its name. Throws QuotaError. */
  setRule(projectId: string, rule: ProjectRule): Promise<void>;
  /** Resolves to false where there is none of the name. */
  removeRule(projectId: string, name: string): Promise<boolean>;
  destinations(projectId: string): Promise<readonly OwnedDestination[]>;
  /**
   * Adds a destination, unless there is the same one. Resolves to undefined where another one has the name. Throws
   * QuotaError.
   */
  addDestination(added: Omit<OwnedDestination, "id">): Promise<AddedDestination | undefined>;
  removeDestination(projectId: string, id: string): Promise<boolean>;
  /** Lists messages of a project's own destinations, the latest first. */
  deliveries(projectId: string, limit: number): Promise<readonly Omit<AlertDeliveryRow, "body">[]>;
  /** Adds a test to the messages before it is sent. Resolves to its id. Throws QuotaError. */
  beginTest(destination: TestedDestination): Promise<string>;
  /** Writes how a test has ended. */
  endTest(destination: TestedDestination, test: SentTest): Promise<void>;
}

/** Creates the alerts of a database, as projects see them. */
export function createProjectAlerts(store: Store): ProjectAlerts {
  const listed = async (page: Parameters<typeof listAlertPage>[1]) => (await listAlertPage(store, page)).map(toShown);
  return {
    list: (projectId, { before = "", limit }) => listed({ projectId, isOpen: false, before, limit }),
    open: (projectId) => listed({ projectId, isOpen: true, before: "", limit: MOST_OPEN }),
    async rules(projectId) {
      const rows = await store.fork().find(AlertRule, { projectId }, { orderBy: { name: "asc" }, limit: MOST_RULES });
      return rows.flatMap(toRule).map(({ projectId: _, scope: __, ...rule }) => rule);
    },
    setRule: (projectId, rule) => setRule(store, projectId, rule),
    removeRule: (projectId, name) => removeRule(store, projectId, name),
    async destinations(projectId) {
      const order = { orderBy: { id: "asc" }, limit: MOST_DESTINATIONS } as const;
      return (await store.fork().find(AlertDestination, { projectId }, order)).map(toDestination);
    },
    addDestination: (added) => addDestination(store, added),
    removeDestination: (projectId, id) => removeDestination(store, projectId, id),
    deliveries: async (projectId, limit) =>
      await store
        .query()
        .selectFrom("AlertDelivery")
        .select(["id", "projectId", "destination", "type", "state", "attempts", "nextAt", "status", "problem"])
        .select(["createdAt", "endedAt"])
        .where("projectId", "=", projectId)
        .orderBy("id", "desc")
        .limit(limit)
        .execute(),
    beginTest: (destination) => beginTest(store, destination),
    endTest: (destination, test) => endTest(store, destination, test),
  };
}

/** Most open alerts that are listed. */
const MOST_OPEN = 500;

function toShown({ value: _, threshold: __, projectId, ...alert }: AlertInfo): ShownAlert {
  return { ...alert, isOfAll: projectId === "" };
}

/** Of several who change alerts of a project at once, the others wait here. */
async function lockProject(em: SqlEntityManager, projectId: string): Promise<void> {
  await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

async function setRule(store: Store, projectId: string, { name, ...rule }: ProjectRule): Promise<void> {
  await store.unitOfWork(async (em) => {
    await lockProject(em, projectId);
    const known = await em.findOne(AlertRule, { projectId, name });
    const before = known === null ? null : ruleState(known);
    if (known === null) {
      if ((await em.count(AlertRule, { projectId })) >= MOST_RULES) throw tooMany("rules", MOST_RULES);
      em.create(AlertRule, { projectId, name, ...rule, updatedAt: new Date() });
    } else em.assign(known, { ...rule, updatedAt: new Date() });
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "alerts.setRule",
      target: { kind: "alert-rule", id: name, name },
      before,
      after: { ...rule },
    });
  });
}

async function removeRule(store: Store, projectId: string, name: string): Promise<boolean> {
  return await store.unitOfWork(async (em) => {
    const known = await em.findOne(AlertRule, { projectId, name });
    if (known === null) return false;
    em.remove(known);
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "alerts.removeRule",
      target: { kind: "alert-rule", id: name, name },
      before: ruleState(known),
      after: null,
    });
    return true;
  });
}

function ruleState({ kind, threshold, windowMinutes, minCalls, isEnabled }: AlertRuleRow) {
  return { kind, threshold, windowMinutes, minCalls, isEnabled };
}

async function addDestination(
  store: Store,
  added: Omit<OwnedDestination, "id">,
): Promise<AddedDestination | undefined> {
  const { projectId, name, kind, target } = added;
  return await store.unitOfWork(async (em) => {
    await lockProject(em, projectId);
    const known = await em.findOne(AlertDestination, { projectId, name }, { orderBy: { id: "asc" } });
    if (known !== null) {
      const isSame = known.kind === kind && known.target === target;
      return isSame ? { destination: toDestination(known), isNew: false } : undefined;
    }
    if ((await em.count(AlertDestination, { projectId })) >= MOST_DESTINATIONS) {
      throw tooMany("destinations", MOST_DESTINATIONS);
    }
    const row = em.create(AlertDestination, { id: newId(), ...added, createdAt: new Date() });
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "alerts.addDestination",
      target: getTarget(row),
      before: null,
      after: getState(row),
    });
    return { destination: { id: row.id, ...added }, isNew: true };
  });
}

async function removeDestination(store: Store, projectId: string, id: string): Promise<boolean> {
  return await store.unitOfWork(async (em) => {
    const known = await em.findOne(AlertDestination, { projectId, id });
    if (known === null) return false;
    em.remove(known);
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "alerts.removeDestination",
      target: getTarget(known),
      before: getState(known),
      after: null,
    });
    return true;
  });
}

function getTarget({ id, name }: AlertDestinationRow) {
  return { kind: "alert-destination", id, name };
}

/** The path of an address may be a secret. */
function getState({ kind, target }: AlertDestinationRow) {
  return { kind, target: describeTarget(kind as DestinationKind, target) };
}

/** Returns where a destination leads, without what may be a secret. */
export function describeTarget(kind: DestinationKind, target: string): string {
  return kind === "email" ? target : new URL(target).host;
}

async function beginTest(store: Store, { id: destination, projectId }: TestedDestination): Promise<string> {
  const id = newId();
  const now = new Date();
  await store.unitOfWork(async (em) => {
    await lockProject(em, projectId);
    const since = new Date(now.getTime() - MINUTE_MS);
    const tests = await em.count(AlertDelivery, { projectId, type: TEST, createdAt: { $gt: since } });
    if (tests >= MOST_TESTS) {
      throw new QuotaError(`the project has sent ${MOST_TESTS} tests within a minute, the maximum: wait a moment`);
    }
    em.create(AlertDelivery, {
      id,
      projectId,
      destination,
      type: TEST,
      body: "{}",
      state: "failed",
      status: null,
      attempts: 1,
      problem: "nothing was heard of its end",
      nextAt: now,
      createdAt: now,
      endedAt: now,
    });
  });
  return id;
}

const TEST = "alert.test";

async function endTest(
  store: Store,
  { id: destinationId, projectId, name }: TestedDestination,
  { id, body, status, problem }: SentTest,
): Promise<void> {
  const state = problem === undefined ? "delivered" : "failed";
  await store.unitOfWork(async (em) => {
    const ended = { body, state, status, problem: problem ?? null, endedAt: new Date() };
    await em.nativeUpdate(AlertDelivery, { id, projectId }, ended);
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "alerts.testDestination",
      before: null,
      after: { state },
      target: { kind: "alert-destination", id: destinationId, name },
    });
  });
}

function tooMany(what: string, most: number): QuotaError {
  return new QuotaError(`the project has ${most} ${what} of alerts, the maximum: remove one that isn't needed`);
}
