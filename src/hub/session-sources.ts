/** Source of a session that is the conversation which a request continues. */
export const CONVERSATION_SOURCE = "conversation";

/** Source of a session that is known by an agent's cache key alone: a conversation goes before it. */
export const CACHE_KEY_SOURCE = "prompt_cache_key";
