/** The filter of calls; undefined matches any. */
export interface CallFilter {
  readonly model?: string | undefined;
  /** The model that answered, or failed to. */
  readonly servedModel?: string | undefined;
  readonly upstream?: string | undefined;
  readonly errorReason?: string | undefined;
  readonly keyId?: string | undefined;
  readonly workload?: string | undefined;
  readonly status?: string | undefined;
}

/** Returns a filter by the names of the columns. */
export function filteredColumns(filter: CallFilter = {}): Readonly<Record<string, string | undefined>> {
  const { model, servedModel, upstream, keyId, workload, status, errorReason } = filter;
  return {
    model,
    served_model: servedModel,
    upstream,
    key_id: keyId,
    workload,
    status,
    error_reason: errorReason,
  };
}
