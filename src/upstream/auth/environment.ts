import type { Dispatcher } from "undici";

/** Variables of the environment, in which the vendors' own tools put credentials. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The surroundings of a signer. */
export interface SignerContext {
  readonly environment: Environment;
  /** The way to token services, where the plain one is not the right one. */
  readonly dispatcher?: Dispatcher | undefined;
}
