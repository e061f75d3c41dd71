import type { Route, ServerFacts } from "./facts.ts";

/**
 * Ways to know a fact: a version of the server was run, its pages or its code were read, somebody else reports it, or
 * nobody has looked it up.
 */
type Basis = "run" | "read" | "reported" | "assumed";

/** The place where some facts of a server were read or seen. */
export interface Source {
  /** A page, a file of its code, a report, the version that was run, or what is assumed. */
  readonly at: string;
  /** Date of that, as YYYY-MM-DD. */
  readonly on: string;
  readonly basis: Basis;
  readonly tells: readonly (keyof ServerFacts)[];
}

/** The facts of a server: one file of `servers/` each. */
export interface Server {
  /** Hosts that it is guessed from, with all that end in a dot and one of them; `:PORT` is a port of any host. */
  readonly at: readonly string[];
  /** The path below which it has all routes of the OpenAI formats, where it has none above; absent: not known. */
  readonly below?: "/v1";
  /** True if its operator runs models on it: the prices of their makers are not its own. */
  readonly runsWeights?: true;
  readonly sources: readonly Source[];
  /** Otherwise than a server that is not known, on all of its routes. */
  readonly facts: Partial<ServerFacts>;
  /** Facts that differ on one route. */
  readonly routes?: Readonly<Partial<Record<Route, Partial<ServerFacts>>>>;
}
