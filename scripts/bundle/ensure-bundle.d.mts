export function ensureBundle(options: {
  readonly root: string;
  readonly node: string;
  readonly flags: readonly string[];
}): string | undefined;
