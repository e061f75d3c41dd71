import type { HubInput } from "../../hub/input.ts";
import type { Principal } from "../../hub/principal.ts";
import type { Prompt } from "../history/history.ts";
import type { AttemptWatch, Plan } from "../ports.ts";

/** What is fixed when an inference begins. */
export interface RunFacts {
  readonly id: string;
  readonly principal: Principal;
  readonly input: HubInput;
  /** The input with the conversation that it continues. */
  readonly prompt: Prompt;
  readonly streamed: boolean;
  readonly plan: Plan;
  readonly watch?: AttemptWatch | undefined;
  /** Whether it goes on without its caller, who reads it by its id however it ends. */
  readonly background?: boolean;
  /** What identical requests have in common that may be given the answer again; undefined where none may. */
  readonly responseCacheKey?: string | undefined;
}
