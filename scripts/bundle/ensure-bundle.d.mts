export function ensureBundle(options: { readonly root: string; readonly node: string }): string | undefined;
