import { ALERT_KINDS } from "../../alerts/kinds.ts";
import type { AlertRecord } from "../../alerts/ports.ts";
import type { Store } from "../types/store.ts";
import { toAlert } from "./write-alerts.ts";

/** The kinds of alerts of the installation that touch everybody's calls. */
const KINDS_OF_ALL = Object.entries(ALERT_KINDS).flatMap(([kind, { isOfProjects }]) => (isOfProjects ? [] : [kind]));

/** An alert, as it is listed. */
export type AlertInfo = Omit<AlertRecord, "seenAt">;

/** A page of alerts. */
interface AlertsQuery {
  /** The alerts of a project, and those of the installation that touch everybody; all if undefined. */
  readonly projectId: string | undefined;
  readonly isOpen: boolean;
  /** The id that the page before ended with; empty for the first one. */
  readonly before: string;
  readonly limit: number;
}

/** Lists alerts, the latest first. */
export async function listAlertPage(
  store: Store,
  { projectId, isOpen, before, limit }: AlertsQuery,
): Promise<readonly AlertInfo[]> {
  let rows = store.query().selectFrom("Alert").selectAll().orderBy("id", "desc").limit(limit);
  if (projectId !== undefined) {
    rows = rows.where((is) =>
      is.or([is("projectId", "=", projectId), is.and([is("projectId", "=", ""), is("kind", "in", KINDS_OF_ALL)])]),
    );
  }
  if (isOpen) rows = rows.where("openKey", "is not", null);
  if (before !== "") rows = rows.where("id", "<", before);
  return (await rows.execute()).flatMap(toAlert).map(({ seenAt: _, ...alert }) => alert);
}
