import { createHash } from "node:crypto";
import { configuredDestinations, type Destination } from "./destinations.ts";
import { formatAlertValue } from "./kinds.ts";
import { alertMessage } from "./message.ts";
import type { AlertRecord, Delivery } from "./ports.ts";
import type { SendResult } from "./send.ts";
import type { AlertSettings } from "./settings.ts";

/** The ports of the alert. */
interface DatabaseAlertPorts {
  readonly settings: () => AlertSettings;
  /** "ok", or why the database cannot be used. */
  readonly state: () => string;
  readonly send: (delivery: Delivery, destination: Destination) => Promise<SendResult>;
  readonly count: (kind: string, outcome: "delivered" | "retried" | "failed") => void;
  /** Writes the alert into the history, once the database is back. */
  readonly record: (alert: AlertRecord) => Promise<void>;
  readonly onChange: (alert: AlertRecord) => void;
}

const MINUTE_MS = 60_000;
/** Processes that lose a database within this time send messages of the same id, which receivers take for one. */
const SAME_MS = 10 * MINUTE_MS;
/** Attempts at one message, one a turn. */
const MOST_ATTEMPTS = 10;

/** A message that is on its way. */
interface Sending {
  readonly delivery: Delivery;
  readonly destination: Destination;
  attempts: number;
}

/**
 * Tells that the database is away. Nothing can be agreed on and kept then: each process sends from memory, to the
 * destinations of the configuration.
 */
export class DatabaseAlert {
  readonly #ports: DatabaseAlertPorts;
  #sinceMs: number | undefined;
  #alert: AlertRecord | undefined;
  #unrecorded: AlertRecord | undefined;
  #sending: Sending[] = [];

  constructor(ports: DatabaseAlertPorts) {
    this.#ports = ports;
  }

  /** Looks at the database, and sends what is to be sent. */
  async check(nowMs: number): Promise<void> {
    const { settings, state, onChange } = this.#ports;
    const rule = settings().rules.find(({ kind, isEnabled }) => kind === "database" && isEnabled);
    if (state() !== "ok") {
      this.#sinceMs ??= nowMs;
      const value = (nowMs - this.#sinceMs) / MINUTE_MS;
      if (this.#alert === undefined && rule !== undefined && value >= rule.threshold) {
        this.#alert = createAlert({ rule: rule.name, threshold: rule.threshold, state: state() }, this.#sinceMs, nowMs);
        onChange(this.#alert);
        this.#enqueue(this.#alert, nowMs);
      }
    } else {
      this.#sinceMs = undefined;
      if (this.#alert !== undefined) this.#end(this.#alert, nowMs);
    }
    await this.#send();
    await this.#record();
  }

  #end(alert: AlertRecord, nowMs: number): void {
    const over = { ...alert, closedAt: new Date(nowMs) };
    this.#alert = undefined;
    this.#unrecorded = over;
    this.#ports.onChange(over);
    this.#enqueue(over, nowMs);
  }

  #enqueue(alert: AlertRecord, nowMs: number): void {
    const type = alert.closedAt === null ? ("alert.opened" as const) : ("alert.closed" as const);
    const now = new Date(nowMs);
    const settings = this.#ports.settings();
    const { dashboardUrl } = settings;
    const body = JSON.stringify(alertMessage(type, [alert], { names: new Map(), now, dashboardUrl }));
    const wanted = configuredDestinations(settings).filter(
      ({ sends, rules }) => sends.includes("alerts") && (rules?.includes(alert.rule) ?? true),
    );
    this.#sending.push(
      ...wanted.map((destination) => ({
        delivery: {
          id: getId(`${alert.id} ${type} ${destination.id}`),
          projectId: "",
          destination: destination.id,
          type,
          body,
          attempts: 1,
          createdAt: now,
        } as const,
        destination,
        attempts: 0,
      })),
    );
  }

  async #send(): Promise<void> {
    const { send, count } = this.#ports;
    const left = await Promise.all(
      this.#sending.map(async (sending) => {
        const { isDelivered, isFinal } = await send(sending.delivery, sending.destination);
        sending.attempts += 1;
        const isOver = isDelivered || isFinal || sending.attempts >= MOST_ATTEMPTS;
        count(sending.destination.kind, isDelivered ? "delivered" : isOver ? "failed" : "retried");
        return isOver ? [] : [sending];
      }),
    );
    this.#sending = left.flat();
  }

  async #record(): Promise<void> {
    if (this.#unrecorded === undefined) return;
    await this.#ports.record(this.#unrecorded);
    this.#unrecorded = undefined;
  }
}

function createAlert(
  { rule, threshold, state }: { readonly rule: string; readonly threshold: number; readonly state: string },
  sinceMs: number,
  nowMs: number,
): AlertRecord {
  const value = (nowMs - sinceMs) / MINUTE_MS;
  const summary = `the database is ${state} for ${formatAlertValue("database", value)}: records wait in the spool`;
  const times = { openedAt: new Date(nowMs), seenAt: new Date(nowMs), closedAt: null };
  const id = getId(`database ${Math.floor(sinceMs / SAME_MS)}`);
  return { id, projectId: "", rule, kind: "database", subject: "", summary, value, threshold, ...times };
}

/** Returns the same UUID (version 8) for the same text. */
function getId(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
