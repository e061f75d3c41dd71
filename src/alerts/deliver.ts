import type { Destination } from "./destinations.ts";
import type { AlertStore, Delivery, DeliveryOutcome } from "./ports.ts";
import type { SendResult } from "./send.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after each failed attempt; after the last one a message is given up, 27 hours after the first attempt. */
const WAITS_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS],
];

/** The longest wait between attempts of what is never given up. */
const LONGEST_MS = HOUR_MS;

/** Returns the wait after so many attempts, in milliseconds; undefined where there is no further one. */
function waitAfter(attempts: number): number | undefined {
  return WAITS_MS[attempts - 1];
}

/** Returns the wait of a message that is tried until it is delivered: those after it have to come after it. */
function waitInOrder(attempts: number): number {
  return Math.min(waitAfter(attempts) ?? LONGEST_MS, LONGEST_MS);
}

/** Messages of one round, which are sent at the same time. */
const MOST = 20;
/** Rounds of one turn; what is left waits for the next. */
const ROUNDS = 10;

/** The ports of a delivery. */
export interface DeliverPorts {
  readonly store: Pick<AlertStore, "takeDue" | "finish">;
  readonly findDestination: (id: string, projectId: string) => Promise<Destination | undefined>;
  readonly send: (delivery: Delivery, destination: Destination) => Promise<SendResult>;
  readonly count: (kind: string, outcome: "delivered" | "retried" | "failed") => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Sends the messages that are due; those that fail are sent again later. Returns how many were tried. */
export async function deliverDue(ports: DeliverPorts): Promise<number> {
  let tried = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = await ports.store.takeDue(MOST);
    await Promise.all(due.map((delivery) => deliver(delivery, ports)));
    tried += due.length;
    if (due.length < MOST) break;
  }
  return tried;
}

async function deliver(delivery: Delivery, ports: DeliverPorts): Promise<void> {
  const destination = await ports.findDestination(delivery.destination, delivery.projectId);
  const result = destination === undefined ? GONE : await ports.send(delivery, destination);
  const outcome = getOutcome(delivery, result, ports.now());
  ports.count(destination?.kind ?? "", outcome.state === "pending" ? "retried" : outcome.state);
  await ports.store.finish(delivery.id, outcome);
}

const GONE: SendResult = {
  isDelivered: false,
  isFinal: true,
  status: null,
  problem: "the destination no longer exists",
};

/** Returns what becomes of a message after an attempt. */
function getOutcome({ type, attempts }: Delivery, result: SendResult, nowMs: number): DeliveryOutcome {
  const { isDelivered, isFinal, status, problem = null } = result;
  // Entries of the audit log that are left out would be a gap: they are tried for as long as it takes.
  const waitMs = type === "audit.entries" ? waitInOrder(attempts) : isFinal ? undefined : waitAfter(attempts);
  const state = isDelivered ? "delivered" : waitMs === undefined ? "failed" : "pending";
  return { state, status, problem, nextAt: new Date(nowMs + (waitMs ?? 0)) };
}
