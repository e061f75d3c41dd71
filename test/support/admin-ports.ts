import type { AdministrationPorts } from "../../src/administration/handler.ts";
import { ALERT_PORTS } from "./alert-ports.ts";

/** What the administrative service works with beside the database, where a test asks for none of it. */
export const ADMIN_PORTS: Pick<AdministrationPorts, "alerts" | "endUsers" | "readUsage"> = {
  alerts: ALERT_PORTS,
  endUsers: { readPage: async () => ({ items: [], next: "" }), onFailure: () => {} },
  readUsage: () => Promise.reject(new Error("nothing asks for usage")),
};
