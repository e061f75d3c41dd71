import type { Store } from "../store.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { createFigures, type Figures } from "./figures/figures.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import { createMemberships, type Memberships } from "./memberships.ts";
import { createProjectKeys, type ProjectKeys } from "./project-keys.ts";
import { createProjects, type Projects } from "./projects.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createSetup, type Setup } from "./setup.ts";
import { createSignInAttempts, type SignInAttempts } from "./sign-in-attempts.ts";

/** All that the dashboard asks of the database, an area each. */
export interface DashboardStore {
  readonly accounts: Accounts;
  readonly attempts: SignInAttempts;
  readonly figures: Figures;
  readonly invitations: Invitations;
  readonly keys: ProjectKeys;
  readonly memberships: Memberships;
  readonly projects: Projects;
  readonly sessions: Sessions;
  readonly setup: Setup;
}

/** Creates what the dashboard asks of a database. `now` returns milliseconds since 1970. */
export function createDashboardStore(store: Store, now: () => number = Date.now): DashboardStore {
  return {
    accounts: createAccounts(store),
    attempts: createSignInAttempts(store, now),
    figures: createFigures(store),
    invitations: createInvitations(store, now),
    keys: createProjectKeys(store),
    memberships: createMemberships(store),
    projects: createProjects(store),
    sessions: createSessions(store, now),
    setup: createSetup(store, now),
  };
}
