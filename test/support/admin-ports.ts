import type { OperationPorts } from "../../src/operations/handlers.ts";
import { ALERT_PORTS } from "./alert-ports.ts";

/** What the administrative service works with beside the database, where a test asks for none of it. */
export const ADMIN_PORTS: Pick<
  OperationPorts,
  "alerts" | "catchUp" | "endUsers" | "improvements" | "readRequestPage" | "readUsage"
> = {
  alerts: ALERT_PORTS,
  catchUp: async () => {},
  readRequestPage: async () => ({ items: [], next: "", requests: 0 }),
  endUsers: { readPage: async () => ({ items: [], next: "" }), onFailure: () => {} },
  improvements: { alternativesOf: (model) => [model], priceOf: () => undefined },
  readUsage: () => Promise.reject(new Error("nothing asks for usage")),
};
