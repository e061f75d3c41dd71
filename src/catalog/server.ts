import type { Route, ServerFacts } from "../hub/server-facts.ts";

/** The place where some facts of a server were read or seen. */
export interface Source {
  /** A page, a file of its code, a report, or the version that was run. */
  readonly at: string;
  /** Date when it was read, as YYYY-MM-DD. */
  readonly on: string;
  readonly tells: readonly (keyof ServerFacts)[];
}

/** What is known of a server: one file of `servers/` each. */
export interface Server {
  /** Hosts that it is guessed from, with all that end in a dot and one of them; `:PORT` is a port of any host. */
  readonly at: readonly string[];
  readonly sources: readonly Source[];
  /** Otherwise than a server that is not known, on all of its routes. */
  readonly facts: Partial<ServerFacts>;
  /** What is otherwise on one route alone. */
  readonly routes?: Readonly<Partial<Record<Route, Partial<ServerFacts>>>>;
}
