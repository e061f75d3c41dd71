/** An alert, as far as the log tells of it. */
interface LoggedAlert {
  readonly id: string;
  readonly projectId: string;
  readonly rule: string;
  readonly kind: string;
  readonly subject: string;
  readonly summary: string;
}

/** The log of alerts. */
interface AlertLog {
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

/** Lines of one evaluation and direction; of more it tells the number. */
const MOST_LINES = 20;

/** Tells of alerts that were opened and closed. */
export function logAlerts(
  log: AlertLog,
  { opened, closed }: { readonly opened: readonly LoggedAlert[]; readonly closed: readonly LoggedAlert[] },
): void {
  for (const alert of opened.slice(0, MOST_LINES)) log.warn({ alert: toFacts(alert) }, `alert: ${alert.summary}`);
  for (const alert of closed.slice(0, MOST_LINES)) log.info({ alert: toFacts(alert) }, `alert over: ${alert.summary}`);
  const more = { opened: Math.max(0, opened.length - MOST_LINES), closed: Math.max(0, closed.length - MOST_LINES) };
  if (more.opened + more.closed > 0) log.warn(more, "further alerts were opened and closed: the dashboard lists them");
}

function toFacts({ id, projectId, rule, kind, subject }: LoggedAlert) {
  return { id, projectId: projectId === "" ? undefined : projectId, rule, kind, subject };
}
