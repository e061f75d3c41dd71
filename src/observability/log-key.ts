/** A change of one of an upstream's keys. */
type KeyChange =
  | { readonly kind: "refused"; readonly key: string; readonly status: number | undefined; readonly forMs: number }
  | { readonly kind: "taken"; readonly key: string };

/** Logs that an upstream refuses a key, or takes it again; the key is named by its place in the configuration. */
export function logKey(
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void },
  upstream: string,
  { kind, ...facts }: KeyChange,
): void {
  if (kind === "taken") log.info({ upstream, ...facts }, "an upstream takes one of its keys again");
  else log.warn({ upstream, ...facts }, "an upstream refuses one of its keys: calls go by the others; replace it");
}
