import type { Outputs } from "../../../web/api/trpc.ts";

type Alerts = Outputs["alerts"];

/** An alert. */
export type Alert = Alerts["list"]["closed"][number];

/** A rule that holds in the project. */
export type Rule = Alerts["rules"]["rules"][number];

/** A destination of the project's own. */
export type Destination = Alerts["destinations"]["destinations"][number];

/** A message to one. */
export type Delivery = Alerts["deliveries"][number];
