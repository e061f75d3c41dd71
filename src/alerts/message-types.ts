/** Types of messages to destinations, each with what it says. */
export const MESSAGE_TYPES = {
  "alert.opened": "a condition of a rule holds; one message for all alerts of a rule that began at the same time",
  "alert.closed": "the condition has not held for five minutes; not sent if no message reported its beginning",
  "alert.test": "somebody sent a test",
  "audit.entries": "entries of the audit log, to destinations with `sends: [audit-log]`, up to 100 in a message",
} as const satisfies Readonly<Record<string, string>>;

/** A type of message. */
export type MessageType = keyof typeof MESSAGE_TYPES;
