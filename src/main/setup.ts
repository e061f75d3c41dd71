import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/config.ts";
import type { Store } from "../store/types/store.ts";

/** The setup of a service. */
export interface Setup {
  readonly config: Config;
  readonly store: Store;
  readonly log: FastifyBaseLogger;
}
