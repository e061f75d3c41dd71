import type { ChangeOrigin } from "../../hub/change-origin.ts";
import type { KnownSettings } from "../settings/known-settings.ts";
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
import { createProjectKeys, type ProjectKeys } from "./project-keys.ts";
import { createProjectQuotas, type ProjectQuotas } from "./project-quotas.ts";
import { createProjectSettings, type ProjectSettingsStore } from "./project-settings.ts";
import { createProjects, type Projects } from "./projects.ts";
import { createProviderSignIns, type ProviderSignIns } from "./provider-sign-ins.ts";
import { type DashboardReads, readsOf } from "./reads/reads.ts";
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
  readonly keys: ProjectKeys;
  readonly learned: Learned;
  readonly memberships: Memberships;
  readonly playground: Playground;
  readonly projects: Projects;
  readonly providerSignIns: ProviderSignIns;
  readonly quotas: ProjectQuotas;
  readonly reads: DashboardReads;
  readonly rebuilds: Rebuilds;
  readonly requestExports: RequestExports;
  readonly resets: PasswordResets;
  readonly savedViews: SavedViews;
  readonly sessions: Sessions;
  readonly settings: ProjectSettingsStore;
  readonly setup: Setup;
}

/** The options of the dashboard's store. */
interface DashboardStoreOptions {
  /** Returns milliseconds since 1970. */
  readonly now?: () => number;
  /** Told what owners set. */
  readonly known?: Pick<KnownSettings, "note"> | undefined;
  /** The reader of inferences and feedback; the store itself if absent. */
  readonly reads?: DashboardReads;
}

/** Creates what the dashboard asks of a database. */
export function createDashboardStore(store: Store, options: DashboardStoreOptions = {}): DashboardStore {
  const { now = Date.now, known, reads = readsOf(store) } = options;
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
    keys: createProjectKeys(store),
    learned: createLearned(store),
    memberships: createMemberships(store),
    playground: createPlayground(store, now),
    projects: createProjects(store),
    providerSignIns: createProviderSignIns(store, now),
    quotas: createProjectQuotas(store),
    reads,
    rebuilds: createRebuilds(store),
    requestExports: createRequestExports(store, reads),
    resets: createPasswordResets(store, now),
    savedViews: createSavedViews(store),
    sessions: createSessions(store, now),
    settings: createProjectSettings(store, known),
    setup: createSetup(store, now),
  };
}
