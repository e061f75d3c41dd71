import type { Conversations } from "../../src/inference/conversations/conversations.ts";

/** Conversations of which there are none. */
export const noConversations: Pick<Conversations, "items" | "append"> = {
  items: async () => undefined,
  append: async () => undefined,
};
