import type { OwnedDestination } from "../alerts/ports.ts";
import type { SendResult } from "../alerts/send.ts";
import type { AlertSettings } from "../alerts/settings.ts";
import type { UsageQuery, UsageReport } from "../figures/usage.ts";
import type { ControlDefaults } from "../learning/controls.ts";
import type { ExportQuery } from "../store/dashboard/request-exports.ts";
import type { EndUser } from "../store/end-users/delete-end-user.ts";
import type { ImprovementPorts } from "../store/learning/plan-improvement.ts";
import type { Store } from "../store/types/store.ts";
import type { Actor } from "./actor.ts";
import type { AdminMethod, RequestOf, ResponseOf } from "./operations.ts";

/** The parts of alerts that are not in the database. */
export interface AlertPorts {
  /** Returns the settings that hold now. */
  readonly settings: () => AlertSettings;
  /** Returns the secret that messages to a webhook are signed with. */
  readonly secretOf: (own: OwnedDestination, store: Store) => string | Promise<string>;
  /** Sends a test of an id once. Never rejects. */
  readonly test: (
    own: OwnedDestination,
    id: string,
    store: Store,
  ) => Promise<SendResult & { readonly id: string; readonly body: string }>;
}

/** The parts of end users' data that are not in the database. */
export interface EndUserPorts {
  /** Reads a page of all that is known of an end user, after the place where the page before ended. */
  readonly readPage: (store: Store, user: EndUser, after: string) => Promise<ExportPage>;
  /** Told of a deletion that failed. */
  readonly onFailure: (error: unknown) => void;
}

/** Reads a page of an export of requests, and notes it in the audit log. */
export type ReadRequestPage = (store: Store, query: ExportQuery) => Promise<ExportPage & { readonly requests: number }>;

/** A page of an export. */
export interface ExportPage {
  /** Whole lines of the file. */
  readonly items: readonly string[];
  /** The place where it ended; empty at the end of all. */
  readonly next: string;
}

/** The parts that operations work with beside the database. */
export interface OperationPorts {
  readonly store: Store;
  /** Returns the catalog's name of a model by its name, id or alias; undefined if there is none. */
  readonly modelOf: (name: string) => string | undefined;
  /** The prefix of model ids. */
  readonly prefix: string;
  /** Returns the controls of workloads of which nothing is said. */
  readonly learning: () => ControlDefaults;
  readonly improvements: ImprovementPorts;
  readonly alerts: AlertPorts;
  readonly endUsers: EndUserPorts;
  readonly readRequestPage: ReadRequestPage;
  /** Has the process that serves know of what was committed; resolves soon and never rejects. */
  readonly catchUp: () => Promise<void>;
  /** Adds up calls; rejects if the database does not answer. */
  readonly readUsage: (query: UsageQuery) => Promise<UsageReport>;
}

/** The surroundings of one operation. */
export interface Work extends OperationPorts {
  /** The database; of an operation that changes something its transaction. */
  readonly store: Store;
  readonly actor: Actor;
}

/** The function of an operation. Throws InferenceError. */
type Handler<Method extends AdminMethod> = (work: Work, request: RequestOf<Method>) => Promise<ResponseOf<Method>>;

/** The functions of some operations. */
export type Handlers<Method extends AdminMethod = AdminMethod> = { readonly [Each in Method]: Handler<Each> };
