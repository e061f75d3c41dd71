import { newId } from "../lib/ids.ts";
import type { Destination } from "./destinations.ts";
import { alertMessage, type MessageContext } from "./message.ts";
import type { AlertRecord, NewDelivery } from "./ports.ts";

/**
 * Writes the messages about alerts: for each destination one about all alerts of a rule that were opened, and one about
 * all that are over.
 */
export function writeMessages(
  alerts: readonly AlertRecord[],
  destinations: readonly Destination[],
  context: MessageContext,
): NewDelivery[] {
  return destinations
    .filter(({ sends }) => sends.includes("alerts"))
    .flatMap((destination) => {
      const own = alerts.filter((alert) => isFor(alert, destination));
      const groups = Map.groupBy(own, ({ rule, closedAt }) => `${closedAt === null} ${rule}`);
      return [...groups.values()].map((group) => {
        const type = group[0]?.closedAt === null ? "alert.opened" : "alert.closed";
        const body = JSON.stringify(alertMessage(type, group, context));
        return { id: newId(), projectId: destination.projectId ?? "", destination: destination.id, type, body };
      });
    });
}

/** Destinations of the configuration are sent the alerts of all projects, a project's own those of the project. */
function isFor({ projectId, rule }: AlertRecord, destination: Destination): boolean {
  if (destination.projectId !== undefined && destination.projectId !== projectId) return false;
  return destination.rules?.includes(rule) ?? true;
}
