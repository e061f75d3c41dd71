import { waitAfter, waitInOrder } from "./backoff.ts";
import type { Destination } from "./destinations.ts";
import type { AlertStore, Delivery, DeliveryOutcome } from "./ports.ts";
import type { SendResult } from "./send.ts";

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
  const outcome = outcomeOf(delivery, result, ports.now());
  ports.count(destination?.kind ?? "", outcome.state === "pending" ? "retried" : outcome.state);
  await ports.store.finish(delivery.id, outcome);
}

const GONE: SendResult = {
  isDelivered: false,
  isFinal: true,
  status: null,
  problem: "there is no such destination any more",
};

/** Returns what becomes of a message after an attempt. */
function outcomeOf({ type, attempts }: Delivery, result: SendResult, nowMs: number): DeliveryOutcome {
  const { isDelivered, isFinal, status, problem = null } = result;
  // Entries of the audit log that are left out would be a gap: they are tried for as long as it takes.
  const waitMs = type === "audit.entries" ? waitInOrder(attempts) : isFinal ? undefined : waitAfter(attempts);
  const state = isDelivered ? "delivered" : waitMs === undefined ? "failed" : "pending";
  return { state, status, problem, nextAt: new Date(nowMs + (waitMs ?? 0)) };
}
