import { MESSAGE_TYPES } from "../../src/alerts/message-types.ts";
import { AUDIT_ACTIONS } from "../../src/hub/audit-actions.ts";
import { WORKLOAD_EVENTS } from "../../src/learning/ports.ts";
import { code, page, table } from "./markdown.ts";

/** Returns the table of what each event says; links of its texts are those of pages in `docs`. */
function events(heading: string, texts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(texts).map(([name, text]) => [code(name), text.replaceAll("](", "](../")]);
  return table([heading, "says"], rows);
}

/** Returns the page of events. */
export function eventsPage(): string {
  return page("Events", "`src/alerts/message-types.ts`, `src/learning/ports.ts`, `src/hub/audit-actions.ts`", [
    "The events of streams are those of each format; the [RPCs](rpc.md) have them in `GenerateEvent`. " +
      "What Attune tells by itself is here.",
    "## Messages to destinations\n\nThe `type` of a webhook's message. [Alerts](../alerts.md) has its members, its " +
      "signature and how often it is tried again.",
    events("type", MESSAGE_TYPES),
    "## Events of a workload\n\nThe history of a workload, on its page, by `attune workloads show` and over RPC: " +
      "its last 200 events. [Steering](../steering.md) says what can be set.",
    events("event", WORKLOAD_EVENTS),
    "## Entries of the audit log\n\nThe `action` of an entry, by which the log is filtered on its page, by " +
      "`attune audit-log` and over `/v1/admin/audit-log`. [Administration](../administration.md) has the rest " +
      "of an entry.",
    events("action", AUDIT_ACTIONS),
  ]);
}
