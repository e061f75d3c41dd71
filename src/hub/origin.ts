/** The origin of opaque state in a conversation; nobody else can read it. */
export interface Origin {
  /** Name of the upstream in the configuration: it stands for the account as well. */
  readonly upstream: string;
  /** Model as the upstream calls it. */
  readonly model: string;
}

/** Who made opaque state, and for whom. */
export interface Maker extends Origin {
  /** Name of the model that the caller had asked for, where another one answered. */
  readonly insteadOf?: string;
}
