/** Public format that a model is native to. */
export type ModelFamily = "responses" | "messages" | "chat";

/** Price in nano-USD per token; USD per million tokens times 1000. */
export interface PriceNanos {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** A place that serves a model. */
export interface Deployment {
  /** Name of the upstream in the configuration. */
  readonly upstream: string;
  /** Model as that upstream calls it. */
  readonly model: string;
}

/** A model that can be called. */
export interface CatalogModel {
  /** Name without the prefix. */
  readonly name: string;
  readonly displayName: string;
  readonly family: ModelFamily;
  readonly purpose: string;
  /** Tokens that prompt and answer may have together. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Fewest prompt tokens that a cache keeps; 0 if caching is not offered. */
  readonly minCacheableTokens: number;
  readonly price?: PriceNanos | undefined;
  /** When it was released. */
  readonly createdAt: Date;
  readonly deployments: readonly Deployment[];
}
