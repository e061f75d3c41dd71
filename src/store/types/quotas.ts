/** Most that people may create of what stays until somebody removes it. */
export interface Quotas {
  /** Keys that work; those of the playground are one for each member. */
  readonly keysPerProject: number;
  /** Members, and invitations that wait. */
  readonly membersPerProject: number;
  /** Projects that one person owns. */
  readonly projectsPerPerson: number;
  /** People who may sign in. */
  readonly accounts: number;
}

/** The quotas of a database that was opened without any. */
export const NO_QUOTAS: Quotas = {
  keysPerProject: Number.POSITIVE_INFINITY,
  membersPerProject: Number.POSITIVE_INFINITY,
  projectsPerPerson: Number.POSITIVE_INFINITY,
  accounts: Number.POSITIVE_INFINITY,
};

/** Tells people that there is no room for one more, and what to do. */
export class QuotaError extends Error {
  override readonly name = "QuotaError";
}

/** Checks that there is room for one more. Throws QuotaError with what `describe` says of it. */
export function checkQuota(
  quotas: Quotas,
  name: keyof Quotas,
  count: number,
  describe: (quota: string) => string,
): void {
  const most = quotas[name];
  if (count < most) return;
  throw new QuotaError(describe(`${most}, the maximum of quotas.${name}`));
}
