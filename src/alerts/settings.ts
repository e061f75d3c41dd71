import type { AlertRule } from "./rules.ts";

/** The parts of what happens that a destination may be sent. */
export const DESTINATION_SENDS = ["alerts", "audit-log"] as const;

/** The way in which mail is encrypted: from the start, once connected, or not at all. */
export const SMTP_TLS = ["implicit", "starttls", "none"] as const;

/** A server that takes mail. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: (typeof SMTP_TLS)[number];
  readonly user: string | undefined;
  /** A secret. */
  readonly password: string | undefined;
  readonly from: string;
}

/** A destination of the configuration. */
export interface ConfiguredDestination {
  readonly name: string;
  readonly kind: "webhook" | "slack" | "email";
  /** The URL, which is a secret of Slack's, or the address of mail. */
  readonly target: string;
  /** A secret. */
  readonly secret: string | undefined;
  readonly sends: readonly (typeof DESTINATION_SENDS)[number][];
  /** Names of the rules whose alerts it is sent; undefined for all. */
  readonly rules: readonly string[] | undefined;
}

/** The settings of alerts. */
export interface AlertSettings {
  readonly enabled: boolean;
  /** The rules that hold where a project has none of the same name, with those that hold from the start. */
  readonly rules: readonly AlertRule[];
  readonly destinations: readonly ConfiguredDestination[];
  readonly smtp: SmtpSettings | undefined;
  /** True if destinations of projects may be in private networks. */
  readonly allowPrivateAddresses: boolean;
  /** The address of the dashboard, for links in messages; undefined where the configuration names none. */
  readonly dashboardUrl: string | undefined;
}
