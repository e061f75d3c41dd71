import { setTimeout as delay } from "node:timers/promises";

/** A load balancer on the client's side: calls go round the replicas that say that they are ready. */
export interface Balancer {
  /** Returns the address for the next call. Throws where no replica is ready. */
  next(): string;
  /** Takes a replica in; resolves once calls go to it. */
  add(url: string): Promise<void>;
  /** Takes a replica out, which has ended. */
  remove(url: string): void;
  close(): Promise<void>;
}

/** A replica says that it is not ready for much longer than this before it closes its port: server.drainMs. */
const ASK_EVERY_MS = 50;
const ASK_LIMIT_MS = 2000;

/** Creates a balancer, which asks each replica for GET /readyz as a platform does. */
export function createBalancer(): Balancer {
  const ready = new Map<string, boolean>();
  let turn = 0;
  let isOpen = true;
  const ask = async (url: string): Promise<void> => {
    const answer = fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ASK_LIMIT_MS) });
    const isReady = await answer.then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
    if (ready.has(url)) ready.set(url, isReady);
  };
  const asking = (async () => {
    while (isOpen) {
      await Promise.all([...ready.keys()].map(ask));
      await delay(ASK_EVERY_MS);
    }
  })();
  return {
    next() {
      const urls = [...ready].flatMap(([url, isReady]) => (isReady ? [url] : []));
      const url = urls[turn++ % urls.length];
      if (url === undefined) throw new Error("no replica is ready");
      return url;
    },
    async add(url) {
      ready.set(url, false);
      while (ready.get(url) === false) await ask(url);
    },
    remove: (url) => void ready.delete(url),
    async close() {
      isOpen = false;
      await asking;
    },
  };
}
