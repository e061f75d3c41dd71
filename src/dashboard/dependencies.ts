import type { FastifyBaseLogger } from "fastify";
import type { AlertSettings } from "../alerts/settings.ts";
import type { Deployment } from "../catalog/model.ts";
import type { PricePicos } from "../catalog/prices.ts";
import type { UpstreamKeyReport } from "../hub/upstream.ts";
import type { Operations } from "../operations/create-operations.ts";
import type { RunnerPorts } from "../operations/dataset-runs.ts";
import type { QuotaDefaults } from "../quotas/quota-settings.ts";
import type { DashboardStore } from "../store/dashboard/dashboard-store.ts";
import type { ControlDefaults } from "../store/dashboard/learned.ts";
import type { ContentReader } from "./features/history/content-reader.ts";
import type { SignIn } from "./features/sign-in/sign-in.ts";

/** A place that serves models, as this process sees it. */
interface DeploymentState {
  /** Names of the models that are served there, without the prefix. */
  readonly models: readonly string[];
  /** True if all of them make embeddings, and answer nothing. */
  readonly embeddings: boolean;
  readonly upstream: string;
  readonly upstreamModel: string;
  readonly health: {
    /** True if it failed of late, so that it is asked last. */
    readonly isOut: boolean;
    /** The part of its share that it has again after a failure, 0 to 1. */
    readonly returned: number;
    readonly inFlight: number;
    /** To the first token of a stream, at its worst of late; undefined if nothing is known. */
    readonly peakMs: number | undefined;
    /** The smallest part that is left of its rate limits, 0 to 1; undefined if it tells of none. */
    readonly headroom: number | undefined;
    /** Calls that have failed since the last success. */
    readonly failures: number;
    readonly hasSucceeded: boolean;
  };
}

/** One of several keys of an upstream, as this process sees it. */
interface UpstreamKeyState extends UpstreamKeyReport {
  readonly upstream: string;
}

/** A part of a whole and its 95% interval; undefined where nothing was counted. */
export interface AuditShare {
  readonly estimate: number | undefined;
  readonly low: number;
  readonly high: number;
}

/** The comparison of a deployment's answers with those of its model's first deployment. */
interface AuditedDeployment {
  readonly key: { readonly model: string; readonly place: { readonly upstream: string; readonly model: string } };
  /**
   * True if it is asked: open while it has not proved different, out since it has, trusted where an operator says so.
   */
  readonly standing: "open" | "out" | "trusted";
  /** By what it has proved different. */
  readonly difference: { readonly by: readonly string[] } | undefined;
  readonly report: {
    readonly samples: number;
    readonly match: AuditShare;
    /** Of the first deployment and itself: the noise floor. */
    readonly baseMatch: AuditShare;
    /** Mean distances of texts, 0 to 1. */
    readonly distance: number | undefined;
    readonly baseDistance: number | undefined;
  };
}

/** The ports that the dashboard needs. */
export interface DashboardDependencies {
  readonly store: DashboardStore;
  /** All changes that callers of other doors make too. */
  readonly operations: Operations;
  readonly contents: ContentReader;
  readonly log: FastifyBaseLogger;
  /** Id of a model that can be called, for the snippets of a new key. */
  readonly exampleModel: string;
  /** Address at which people reach the dashboard, without a slash at its end; undefined if nobody has said so. */
  readonly publicUrl: string | undefined;
  /** The sign-in through providers. */
  readonly signIn: SignIn;
  /** Prices of a model, by its name without the prefix, where it is deployed; undefined where they are not known. */
  readonly priceOf: (model: string, deployment: Pick<Deployment, "upstream" | "model">) => PricePicos | undefined;
  /** Returns the host and port of an upstream, without anything secret; undefined if it has none. */
  readonly hostOf: (upstream: string) => string | undefined;
  /** Returns the catalog's name of a model by its name, id or alias; undefined if there is none. */
  readonly modelOf: (name: string) => string | undefined;
  /** Returns when this process read the configuration that it serves by. */
  readonly configuredAt: () => Date;
  /** Returns the deployments of all models, and their health as this process knows it. */
  readonly deployments: () => readonly DeploymentState[];
  /** Returns the keys of the upstreams that have several, as this process knows them. */
  readonly upstreamKeys: () => readonly UpstreamKeyState[];
  /** The learning of workloads. */
  readonly learning: {
    /** Settings of workloads without any of their own. */
    readonly defaults: ControlDefaults;
    /** Names of the models that may answer, without the prefix, in the order of the catalog. */
    readonly models: readonly string[];
    /** Returns the models that may answer for a base, base among them. */
    readonly alternativesOf: (model: string) => readonly string[];
    /** Tells whether sandboxes alone serve a model, of which nothing can be learned. */
    readonly isMadeUp: (model: string) => boolean;
    /** Has this process take on what was said in the dashboard, at once. */
    readonly refresh: () => Promise<void>;
  };
  /** The quotas of calls. */
  readonly quotas: {
    /** Quotas of all that have none by name, as attune.yaml has them. */
    readonly defaults: QuotaDefaults;
    /** Has this process take on what was set in the dashboard, at once. */
    readonly refresh: () => Promise<void>;
  };
  /** Returns the settings of alerts that hold now. */
  readonly alertSettings: () => AlertSettings;
  readonly datasetRuns: RunnerPorts;
  /** The deployments whose answers were compared, by all processes. */
  readonly audits: () => readonly AuditedDeployment[];
  /** Lets a request of someone who is signed in call the public API. */
  readonly issuePlaygroundKey: IssueKey;
}

/** Issues a secret that stands for a key of a project until it is revoked. */
type IssueKey = (principal: { readonly keyId: string; readonly projectId: string }) => {
  readonly secret: string;
  revoke(): void;
};
