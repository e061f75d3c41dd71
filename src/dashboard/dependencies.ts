import type { FastifyBaseLogger } from "fastify";
import type { DashboardStore } from "../store/dashboard/dashboard-store.ts";

/** What the dashboard works with. */
export interface DashboardDependencies {
  readonly store: DashboardStore;
  readonly log: FastifyBaseLogger;
  /** Id of a model that can be called, for the snippets of a new key. */
  readonly exampleModel: string;
}
