/** Times of the peer lookup, in milliseconds. */
export interface PeerTimes {
  /** The time limit of a peer's response. A silent peer is not waited for again until it is heard. */
  readonly answerMs: number;
  /** For so long after others can be heard, they may not yet have said that they are there. */
  readonly greetingMs: number;
}

/** The times where nothing else is set. */
export const PEER_TIMES: PeerTimes = { answerMs: 1000, greetingMs: 1000 };

/** An inference that is not yet written is asked for again after so long: what is told may be lost. */
export const ASK_AGAIN_MS = 1000;

/** Inferences whose end others wait for at a time; who waits for more asks again. */
export const MOST_FOLLOWED = 1000;
