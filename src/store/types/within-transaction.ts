import type { SqlEntityManager } from "@mikro-orm/sql";
import type { Store } from "./store.ts";
import { query } from "./tables.ts";

/**
 * Returns a store whose reads and writes are all part of one transaction, that of an entity manager: several pieces of
 * work take effect together, or none of them. It is good until the transaction ends.
 */
export function withinTransaction(store: Store, em: SqlEntityManager): Store {
  const unitOfWork: Store["unitOfWork"] = async (work) => {
    const result = await work(em);
    await em.flush();
    return result;
  };
  return {
    engine: store.engine,
    location: store.location,
    namesPerProject: store.namesPerProject,
    quotas: store.quotas,
    origin: store.origin,
    as: (origin) => withinTransaction(store.as(origin), em),
    setQuotas: () => fail("quotas cannot be set"),
    fork: () => em,
    query: () => query(em),
    unitOfWork,
    transaction: (work) => unitOfWork(async () => await work(query(em))),
    close: () => fail("the store cannot be closed"),
  };
}

function fail(what: string): never {
  throw new Error(`${what} within a transaction`);
}
