import type { HubInput } from "../../hub/input.ts";
import type { Principal } from "../../hub/principal.ts";
import type { RequestSummary } from "../../hub/request-summary.ts";
import type { Prompt } from "../history/history.ts";
import type { AttemptWatch, CallQuota, Plan } from "../ports.ts";

/** The facts that are fixed when an inference begins. */
export interface RunFacts {
  readonly id: string;
  readonly principal: Principal;
  readonly input: HubInput;
  /** The input with the conversation that it continues. */
  readonly prompt: Prompt;
  readonly streamed: boolean;
  readonly plan: Plan;
  readonly watch?: AttemptWatch | undefined;
  /** The part of its caller's limits that it takes; undefined where nothing limits it. */
  readonly quota?: CallQuota | undefined;
  /** The summary of the request that it is for; undefined where nobody makes one. */
  readonly summary?: RequestSummary | undefined;
  /** True if it goes on without its caller, who reads it by its id however it ends. */
  readonly background?: boolean;
  /** The key of identical requests that may get the answer again; undefined where none may. */
  readonly responseCacheKey?: string | undefined;
}
