import { readBasePath } from "../lib/base-path.ts";

/** Returns the path of the dashboard as browsers know it, without a slash at its end. */
export function dashboardPath(publicUrl: string | undefined): string {
  return `${readBasePath(publicUrl)}/dashboard`;
}
