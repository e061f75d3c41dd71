import type { WorkloadKey } from "../../learning/workload.ts";
import type { QuotaKind } from "../../quotas/quota.ts";
import type { OwnedQuota } from "../../quotas/quota-index.ts";
import type { ChangeOrigin } from "../../vocabulary/change-origin.ts";
import type { WorkloadImprovementRow } from "../entities/workload-improvement.ts";
import { type KeyPage, type KeyPageQuery, readKeyNames, readKeyPage } from "../keys/page-keys.ts";
import { readImprovement } from "../learning/improvements.ts";
import { type ImprovementOffer, offerImprovement } from "../learning/offer-improvement.ts";
import { type ImprovementPlan, type PlanOptions, planImprovement } from "../learning/plan-improvement.ts";
import { readQuotas } from "../quotas/read-quotas.ts";
import type { Store } from "../types/store.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { createProjectAlerts, type ProjectAlerts } from "./alerts.ts";
import { createProjectAuditLog, type ProjectAuditLog } from "./audit-log.ts";
import { createDatasetRuns, type DatasetRuns } from "./dataset-runs.ts";
import { createDatasets, type Datasets } from "./datasets.ts";
import { createEndUsers, type EndUsers } from "./end-users.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import { createLearned, type Learned } from "./learned.ts";
import { createMemberships, type Memberships } from "./memberships.ts";
import { createPasswordResets, type PasswordResets } from "./password-resets.ts";
import { createPlayground, type Playground } from "./playground.ts";
import { NO_SETTINGS, type ProjectSettings, readProjectSettings } from "./project-settings.ts";
import { createProjects, type Projects } from "./projects.ts";
import { createProviderSignIns, type ProviderSignIns } from "./provider-sign-ins.ts";
import { createStoreReads, type DashboardReads } from "./reads/reads.ts";
import { createRebuilds, type Rebuilds } from "./rebuilds.ts";
import { createRequestExports, type RequestExports } from "./request-exports.ts";
import { createSavedViews, type SavedViews } from "./saved-views.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createSetup, type Setup } from "./setup.ts";
import { createSignInAttempts, type SignInAttempts } from "./sign-in-attempts.ts";

/** All that the dashboard asks of the database, an area each. */
export interface DashboardStore {
  /** Returns the same, with another origin of what is changed through it. */
  as(origin: ChangeOrigin): DashboardStore;
  readonly accounts: Accounts;
  readonly alerts: ProjectAlerts;
  readonly attempts: SignInAttempts;
  readonly auditLog: ProjectAuditLog;
  readonly datasetRuns: DatasetRuns;
  readonly datasets: Datasets;
  readonly endUsers: EndUsers;
  readonly invitations: Invitations;
  /** API keys, each seen from its project. */
  readonly keys: {
    list(query: KeyPageQuery): Promise<KeyPage>;
    /** Reads the names of keys by their public ids; unknown ones are left out. */
    names(projectId: string, publicIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  };
  readonly learned: Learned;
  readonly memberships: Memberships;
  readonly playground: Playground;
  readonly projects: Projects;
  readonly providerSignIns: ProviderSignIns;
  readonly quotas: ProjectQuotas;
  readonly reads: DashboardReads;
  readonly improvements: Improvements;
  readonly rebuilds: Rebuilds;
  readonly requestExports: RequestExports;
  readonly resets: PasswordResets;
  readonly savedViews: SavedViews;
  readonly sessions: Sessions;
  readonly settings: { read(projectId: string): Promise<ProjectSettings> };
  readonly setup: Setup;
}

/** The options of the dashboard's store. */
interface DashboardStoreOptions {
  /** Returns milliseconds since 1970. */
  readonly now?: () => number;
  /** The reader of inferences and feedback; the store itself if absent. */
  readonly reads?: DashboardReads;
}

/** Creates what the dashboard asks of a database. */
export function createDashboardStore(store: Store, options: DashboardStoreOptions = {}): DashboardStore {
  const { now = Date.now, reads = createStoreReads(store) } = options;
  return {
    as: (origin) => createDashboardStore(store.as(origin), { ...options, reads }),
    accounts: createAccounts(store),
    alerts: createProjectAlerts(store),
    attempts: createSignInAttempts(store, now),
    auditLog: createProjectAuditLog(store),
    datasetRuns: createDatasetRuns(store),
    datasets: createDatasets(store, reads),
    endUsers: createEndUsers(store),
    invitations: createInvitations(store, now),
    keys: {
      list: (query) => readKeyPage(store, query),
      names: (projectId, publicIds) => readKeyNames(store, projectId, publicIds),
    },
    learned: createLearned(store),
    memberships: createMemberships(store),
    playground: createPlayground(store, now),
    projects: createProjects(store),
    providerSignIns: createProviderSignIns(store, now),
    quotas: createProjectQuotas(store),
    reads,
    improvements: createImprovements(store),
    rebuilds: createRebuilds(store),
    requestExports: createRequestExports(store, reads),
    resets: createPasswordResets(store, now),
    savedViews: createSavedViews(store),
    sessions: createSessions(store, now),
    settings: {
      read: async (projectId) =>
        (await readProjectSettings(store, [projectId])).get(projectId) ?? { ...NO_SETTINGS, updatedAt: null },
    },
    setup: createSetup(store, now),
  };
}

/** The improvements that people of a project ask for. */
interface Improvements {
  /** Returns the one that waits or runs, or else the latest one; undefined where nobody has asked for any. */
  read(key: WorkloadKey): Promise<WorkloadImprovementRow | undefined>;
  plan(key: WorkloadKey, options: PlanOptions): Promise<ImprovementPlan>;
  /** Returns what finding out about models that nobody has tried takes; undefined where there is nothing to offer. */
  offer(key: WorkloadKey, options: PlanOptions): Promise<ImprovementOffer | undefined>;
}

/** Creates the improvements of a database. */
function createImprovements(store: Store): Improvements {
  return {
    read: (key) => readImprovement(store, key),
    plan: (key, options) => planImprovement(store, key, options),
    offer: (key, options) => offerImprovement(store, key, options),
  };
}

/** Quotas, each seen from its project. */
interface ProjectQuotas {
  /** Lists the quotas of a project by kind and name. */
  list(
    projectId: string,
    filter: { readonly kinds?: readonly QuotaKind[]; readonly names?: readonly string[]; readonly limit: number },
  ): Promise<readonly OwnedQuota[]>;
  /** Lists the quotas that go for all projects. */
  general(): Promise<readonly OwnedQuota[]>;
}

/** Creates the quotas of a database, as projects see them. */
function createProjectQuotas(store: Store): ProjectQuotas {
  return {
    list: (projectId, filter) => readQuotas(store, { projectId, ...filter }),
    general: () => readQuotas(store, { projectId: "" }),
  };
}
