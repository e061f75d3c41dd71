import { setTimeout as delay } from "node:timers/promises";
import { newId } from "../../lib/ids.ts";
import { CHANNELS, type ChangeFeed } from "../changes/change-feed.ts";
import type { MessageBus } from "./message-bus.ts";

/** The time limit of the farewell. */
const GOODBYE_MS = 500;

/**
 * Creates the bus of the processes on one PostgreSQL, on the connection on which changes are told. Closing it leaves
 * that open.
 */
export function createPostgresBus(changes: ChangeFeed): MessageBus {
  let unsubscribe = (): void => {};
  let told = Promise.resolve();
  return {
    name: newId(),
    get state() {
      return changes.isListening ? "open" : "closed";
    },
    start({ onMessage, onOpen }) {
      unsubscribe = changes.subscribe(CHANNELS.inferences, onMessage);
      changes.onListening(onOpen);
    },
    send(text) {
      told = changes.tell(CHANNELS.inferences, text);
    },
    async close() {
      unsubscribe();
      await Promise.race([told, delay(GOODBYE_MS, undefined, { ref: false })]);
    },
  };
}
