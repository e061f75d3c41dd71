import type { RemoteOptions } from "./admin-client.ts";

/** Options of `attune audit-log`. */
export interface AuditLogOptions extends RemoteOptions {
  readonly json?: true;
  readonly verify?: true;
  readonly from?: Date;
  readonly to?: Date;
  readonly project?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly limit: number;
}
