import type { FastifyBaseLogger } from "fastify";
import type { Deployment, PricePicos } from "../catalog/model.ts";
import type { DashboardStore } from "../store/dashboard/dashboard-store.ts";
import type { ContentReader } from "./history/content-reader.ts";
import type { LendKey } from "./playground/lend-key.ts";

/** What the dashboard works with. */
export interface DashboardDependencies {
  readonly store: DashboardStore;
  readonly contents: ContentReader;
  readonly log: FastifyBaseLogger;
  /** Id of a model that can be called, for the snippets of a new key. */
  readonly exampleModel: string;
  /** Prices of a model, by its name without the prefix, where it is deployed; undefined where they are not known. */
  readonly priceOf: (model: string, deployment: Pick<Deployment, "upstream" | "model">) => PricePicos | undefined;
  /** Lets a request of someone who is signed in call the public API. */
  readonly lendKey: LendKey;
}
