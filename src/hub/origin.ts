/** The origin of opaque state in a conversation; nobody else can read it. */
export interface Origin {
  /** Name of the upstream in the configuration: it stands for the account as well. */
  readonly upstream: string;
  /** Model as the upstream calls it. */
  readonly model: string;
}

/** The maker of opaque state, and the model that was asked for. */
export interface Maker extends Origin {
  /** Name of the model that the caller had asked for, where another one answered. */
  readonly insteadOf?: string;
}
