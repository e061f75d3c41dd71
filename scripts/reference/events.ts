import { MESSAGE_TYPES } from "../../src/alerts/message-types.ts";
import { WORKLOAD_EVENTS } from "../../src/learning/ports.ts";
import { AUDIT_ACTIONS } from "../../src/vocabulary/audit-actions.ts";
import { code, page, table } from "./markdown.ts";

/** Returns the table of what each event says; links of its texts are those of pages in `docs`. */
function events(heading: string, texts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(texts).map(([name, text]) => [code(name), text.replaceAll("](", "](../")]);
  return table([heading, "says"], rows);
}

/** Returns the page of events. */
export function eventsPage(): string {
  return page("Events", "`src/alerts/message-types.ts`, `src/learning/ports.ts`, `src/vocabulary/audit-actions.ts`", [
    "The events that Attune sends to webhooks, or records for a workload and in the audit log. Stream events are " +
      "those of each format; over RPC, see `GenerateEvent` in [the RPC reference](rpc.md).",
    "## Messages to destinations\n\nThe `type` of a webhook message. For its members, its signature and the retries, " +
      "see [alerts](../alerts.md#webhooks).",
    events("type", MESSAGE_TYPES),
    "## Events of a workload\n\nThe last 200 events of a workload, on its page, in `attune workloads show` and over " +
      "RPC. For the settings, see [steering](../steering.md).",
    events("event", WORKLOAD_EVENTS),
    "## Entries of the audit log\n\nThe `action` of an entry. You can filter by it on the log's page, with " +
      "`attune audit-log` and over `/v1/admin/audit-log`. For the other members, see " +
      "[the audit log](../records.md#audit-log).",
    events("action", AUDIT_ACTIONS),
  ]);
}
