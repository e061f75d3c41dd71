/** How a place of the bench behaves. */
export type Behaviour =
  | { readonly kind: "healthy" }
  /** Everything takes so many times as long. */
  | { readonly kind: "slow"; readonly factor: number }
  /** This part of its calls is answered with 500. */
  | { readonly kind: "failing"; readonly part: number }
  /** It serves so many calls a second and answers what is beyond with 429. */
  | { readonly kind: "limited"; readonly callsPerSecond: number }
  /** Its connection breaks after so many tokens of each answer. */
  | { readonly kind: "dying"; readonly afterTokens: number }
  /** It answers every key with 401. */
  | { readonly kind: "unauthenticated" }
  /** Nobody listens. */
  | { readonly kind: "refusing" };

/** Places that serve the model, in the order of the configuration. The first one is the one that gets into trouble. */
export const PLACES = ["a", "b", "c"] as const;
export type PlaceName = (typeof PLACES)[number];

/** One run of the bench: the first of the places does this, the others stay healthy. */
export interface FaultScript {
  readonly id: string;
  readonly title: string;
  /** `rate` is how many calls come each second. */
  readonly first: (rate: number) => Behaviour;
}

/** In the order in which they are run: the first one is what the others are held against. */
export const FAULT_SCRIPTS: readonly FaultScript[] = [
  { id: "0", title: "all healthy", first: () => ({ kind: "healthy" }) },
  { id: "1", title: "one 10 times as slow", first: () => ({ kind: "slow", factor: 10 }) },
  { id: "2", title: "one fails half its calls (500)", first: () => ({ kind: "failing", part: 0.5 }) },
  // Half of what would be its share.
  { id: "3", title: "one limits its calls (429)", first: (rate) => ({ kind: "limited", callsPerSecond: rate / 6 }) },
  { id: "4a", title: "one dies before the first token", first: () => ({ kind: "dying", afterTokens: 0 }) },
  { id: "4b", title: "one dies after four tokens", first: () => ({ kind: "dying", afterTokens: 4 }) },
  { id: "5", title: "one refuses its key (401)", first: () => ({ kind: "unauthenticated" }) },
  { id: "6", title: "one refuses connections", first: () => ({ kind: "refusing" }) },
];
