import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import type { LeaseGrant, LeaseRequest, QuotaLeases } from "../../quotas/leases.ts";
import { QUOTA_RULES } from "../../quotas/quota.ts";
import type { Store } from "../types/store.ts";
import { readSpent } from "./read-spent.ts";

type Tables = ReturnType<Store["query"]>;

/** A request with its row, and what all have leased before it. */
interface Asked {
  readonly name: string;
  readonly request: LeaseRequest;
  leased: number;
}

/** The time for which a process counts as living that was not heard of. */
const LIFE_MS = 60_000;
/** The time for which a window is kept after its end, for processes whose clocks are behind. */
const KEPT_MS = 300_000;

/** Creates the leases of one process on a store. */
export function createStoreLeases(store: Store, process = newId()): QuotaLeases {
  return new StoreLeases(store, process);
}

class StoreLeases implements QuotaLeases {
  readonly #store: Store;
  readonly #process: string;

  constructor(store: Store, process: string) {
    this.#store = store;
    this.#process = process;
  }

  async exchange(requests: readonly LeaseRequest[]): Promise<readonly LeaseGrant[]> {
    if (requests.length === 0) return [];
    return await this.#store.transaction(async (tables) => {
      const asked = requests.map((request): Asked => ({ name: nameOf(request), request, leased: 0 }));
      await this.#lock(tables, asked);
      await this.#countLiving(tables, asked.filter(isInFlight));
      const grants = asked.map(grant);
      await this.#write(tables, asked, grants);
      return grants;
    });
  }

  async renew(): Promise<void> {
    const tables = this.#store.query();
    const [now, dead] = this.#clock();
    await tables.updateTable("QuotaLease").set({ seenAt: now }).where("process", "=", this.#process).execute();
    await tables.deleteFrom("QuotaLease").where("seenAt", "<", dead).execute();
    await tables
      .deleteFrom("QuotaWindow")
      .where("endsAt", "<", Date.now() - KEPT_MS)
      .execute();
  }

  /** Reads the rows, which nobody else changes until the end; makes those that are not there yet. */
  async #lock(tables: Tables, asked: readonly Asked[]): Promise<void> {
    let known = await this.#read(tables, asked);
    const missing = asked.filter(({ name }) => !known.has(name));
    if (missing.length > 0) {
      const rows = [];
      for (const { name, request } of missing) {
        rows.push({ name, endsAt: request.endsAtMs ?? null, leased: await readSpent(tables, request) });
      }
      // Of several processes that make a row at once, the others wait here, and then find it.
      await tables
        .insertInto("QuotaWindow")
        .values(rows)
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      known = await this.#read(tables, asked);
    }
    for (const one of asked) one.leased = known.get(one.name) ?? 0;
  }

  async #read(tables: Tables, asked: readonly Asked[]): Promise<Map<string, number>> {
    const names = asked.map(({ name }) => name);
    // In one order in all processes, so that no two of them wait for each other.
    const rows = tables.selectFrom("QuotaWindow").select(["name", "leased"]).where("name", "in", names).orderBy("name");
    const found = await (this.#store.engine === "postgres" ? rows.forUpdate() : rows).execute();
    return new Map(found.map(({ name, leased }) => [name, leased]));
  }

  /** Counts calls in flight anew, of the processes that live. */
  async #countLiving(tables: Tables, asked: readonly Asked[]): Promise<void> {
    if (asked.length === 0) return;
    const subjects = asked.map(({ request }) => request.subject);
    const rows = await tables
      .selectFrom("QuotaLease")
      .select(["subject", (eb) => eb.fn.sum<number | string>("leased").as("leased")])
      .where("subject", "in", subjects)
      .where("process", "!=", this.#process)
      .where("seenAt", ">=", this.#clock()[1])
      .groupBy("subject")
      .execute();
    const bySubject = new Map(rows.map(({ subject, leased }) => [subject, Number(leased)]));
    for (const one of asked) one.leased = (bySubject.get(one.request.subject) ?? 0) + one.request.leased;
  }

  async #write(tables: Tables, asked: readonly Asked[], grants: readonly LeaseGrant[]): Promise<void> {
    const rows = asked.map(({ name, request }, index) => ({
      name,
      endsAt: request.endsAtMs ?? null,
      leased: grants[index]?.leasedByAll ?? 0,
    }));
    await tables
      .insertInto("QuotaWindow")
      .values(rows)
      .onConflict((conflict) => conflict.column("name").doUpdateSet(({ ref }) => ({ leased: ref("excluded.leased") })))
      .execute();
    const [now] = this.#clock();
    const own = asked.flatMap(({ request }, index) => {
      if (!isInFlight({ request })) return [];
      const leased = request.leased + request.owed + (grants[index]?.granted ?? 0);
      return [{ process: this.#process, subject: request.subject, leased, seenAt: now }];
    });
    if (own.length === 0) return;
    await tables
      .insertInto("QuotaLease")
      .values(own)
      .onConflict((conflict) =>
        conflict
          .columns(["process", "subject"])
          .doUpdateSet(({ ref }) => ({ leased: ref("excluded.leased"), seenAt: ref("excluded.seenAt") })),
      )
      .execute();
  }

  /** Returns now, and the time before which a process was last heard of that is dead, by the database's clock. */
  #clock() {
    if (this.#store.engine === "sqlite") return [new Date(), new Date(Date.now() - LIFE_MS)] as const;
    return [sql<Date>`now()`, sql<Date>`now() - make_interval(secs => ${LIFE_MS / 1000})`] as const;
  }
}

function nameOf({ rule, startsAtMs, subject }: LeaseRequest): string {
  return `${rule} ${startsAtMs} ${subject}`;
}

function isInFlight({ request }: Pick<Asked, "request">): boolean {
  return QUOTA_RULES[request.rule].window === "inFlight";
}

/** Grants what is needed as far as there is room, and of what is wanted beyond that no more than a quarter of it. */
function grant({ leased, request: { owed, need, wanted, limit } }: Asked): LeaseGrant {
  const before = leased + owed;
  const room = Math.max(0, limit - before);
  const granted = Math.min(room, Math.max(need, Math.min(wanted, Math.floor(room / 4))));
  return { granted, leasedByAll: before + granted };
}
