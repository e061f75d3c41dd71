export function servingOptions(environment: NodeJS.ProcessEnv): {
  readonly flags: readonly string[];
  readonly environment: { readonly MALLOC_ARENA_MAX: string; readonly MALLOC_TRIM_THRESHOLD_: string };
};
