import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import { grantLease } from "../../quotas/grant-lease.ts";
import { LEASE_MS, type LeaseGrant, type LeaseRequest, type QuotaLeases } from "../../quotas/leases.ts";
import { QUOTA_RULES } from "../../quotas/quota-fields.ts";
import { databaseTime, readClock } from "../database/clock.ts";
import type { Store } from "../types/store.ts";
import { readSpent } from "./read-spent.ts";
import { wasCommitted } from "./was-committed.ts";

type Tables = ReturnType<Store["query"]>;

/** A request with its row, what all have leased before it, and what was taken back of it. */
interface LeasedRequest {
  readonly name: string;
  readonly request: LeaseRequest;
  leasedByAll: number;
  lost: number;
}

/** An exchange that is written, if its transaction is committed. */
interface Written {
  readonly grants: readonly LeaseGrant[];
  /** The id of the transaction, by which PostgreSQL says whether it was committed. SQLite always says so at once. */
  readonly transaction: string | undefined;
}

/** The time after which a process is forgotten that was not heard of, with what was taken back from it. */
const FORGOTTEN_MS = 86_400_000;
/** Leases that are taken back at once. */
const MOST_TAKEN_BACK = 1000;
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
    let written: Written | undefined;
    try {
      return await this.#store.transaction(async (tables) => {
        written = await this.#exchange(tables, requests);
        return written.grants;
      });
    } catch (error) {
      // A give-back that was committed is not to be undone, though nobody has said that it was.
      const { transaction, grants } = written ?? {};
      if (transaction === undefined || !(await wasCommitted(this.#store, transaction))) throw error;
      return grants ?? [];
    }
  }

  async #exchange(tables: Tables, requests: readonly LeaseRequest[]): Promise<Written> {
    const questions = requests.map(
      (request): LeasedRequest => ({ name: getName(request), request, leasedByAll: 0, lost: 0 }),
    );
    await this.#lock(tables, questions);
    await this.#readLost(tables, questions);
    await this.#countLiving(tables, questions.filter(isInFlight));
    const grants = questions.map((one) => grantLease(one, one.request));
    return { grants, transaction: await this.#write(tables, questions, grants) };
  }

  async renew(): Promise<void> {
    await this.#store.transaction(async (tables) => {
      const heard = tables.updateTable("QuotaProcess").set({ seenAt: this.#ago(0) });
      const own = heard.where("process", "=", this.#process).where("seenAt", ">=", this.#ago(LEASE_MS));
      const { numUpdatedRows } = await own.executeTakeFirstOrThrow();
      // After an outage all have been silent, and those that live are still to tell what they have spent meanwhile.
      if (numUpdatedRows > 0n) return await this.#takeBack(tables);
      await tables
        .insertInto("QuotaProcess")
        .values({ process: this.#process, seenAt: this.#ago(0) })
        .onConflict((conflict) => conflict.column("process").doUpdateSet({ seenAt: this.#ago(0) }))
        .execute();
    });
    const tables = this.#store.query();
    const over = (await readClock(this.#store)) - KEPT_MS;
    await tables.deleteFrom("QuotaWindow").where("endsAt", "<", over).execute();
    await tables.deleteFrom("QuotaLease").where("endsAt", "<", over).execute();
    const forgotten = tables.selectFrom("QuotaProcess").select("process").where("seenAt", "<", this.#ago(FORGOTTEN_MS));
    await tables.deleteFrom("QuotaLease").where("process", "in", forgotten).where("free", "=", 0).execute();
    const leasing = tables.selectFrom("QuotaLease").select("process");
    await tables
      .deleteFrom("QuotaProcess")
      .where("seenAt", "<", this.#ago(FORGOTTEN_MS))
      .where("process", "not in", leasing)
      .execute();
  }

  /** Takes back what dead processes have not spent. They are told of it should they come back. */
  async #takeBack(tables: Tables): Promise<void> {
    const dead = tables.selectFrom("QuotaProcess").select("process").where("seenAt", "<", this.#ago(LEASE_MS));
    const leases = tables.selectFrom("QuotaLease").where("process", "in", dead).where("free", ">", 0);
    const some = await leases.select("name").distinct().orderBy("name").limit(MOST_TAKEN_BACK).execute();
    if (some.length === 0) return;
    const names = some.map(({ name }) => name);
    // Whoever has the window has its leases too: another process may have taken them back meanwhile.
    await this.#readLeased(tables, names);
    // Who is dead is asked once: a process may be heard of again at any time, and what it had is counted as lost then.
    const taken = await leases.select(["process", "name", "free"]).where("name", "in", names).execute();
    const sums = new Map<string, number>();
    for (const { name, free } of taken) sums.set(name, (sums.get(name) ?? 0) + free);
    for (const [name, free] of sums) {
      await tables
        .updateTable("QuotaWindow")
        .set(({ eb }) => ({ leased: eb("leased", "-", free) }))
        .where("name", "=", name)
        .execute();
    }
    if (taken.length === 0) return;
    await tables
      .updateTable("QuotaLease")
      .set(({ eb, ref }) => ({ lost: eb("lost", "+", ref("free")), free: 0 }))
      .where("process", "in", [...new Set(taken.map(({ process }) => process))])
      .where("name", "in", names)
      .execute();
  }

  /** Reads the rows, which nobody else changes until the end; makes those that are not there yet. */
  async #lock(tables: Tables, questions: readonly LeasedRequest[]): Promise<void> {
    const names = questions.map(({ name }) => name);
    let known = await this.#readLeased(tables, names);
    const missing = questions.filter(({ name }) => !known.has(name));
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
      known = await this.#readLeased(tables, names);
    }
    for (const one of questions) one.leasedByAll = known.get(one.name) ?? 0;
  }

  async #readLeased(tables: Tables, names: readonly string[]): Promise<Map<string, number>> {
    // In one order in all processes, so that no two of them wait for each other.
    const rows = tables.selectFrom("QuotaWindow").select(["name", "leased"]).where("name", "in", names).orderBy("name");
    const found = await (this.#store.engine === "postgres" ? rows.forUpdate() : rows).execute();
    return new Map(found.map(({ name, leased }) => [name, leased]));
  }

  /** Reads what was taken back from this process. Of one that was forgotten, that was all that it had not spent. */
  async #readLost(tables: Tables, questions: readonly LeasedRequest[]): Promise<void> {
    const held = questions.filter((one) => one.request.leased > 0 && !isInFlight(one));
    if (held.length === 0) return;
    const rows = await tables
      .selectFrom("QuotaLease")
      .select(["name", "lost"])
      .where("process", "=", this.#process)
      .where(
        "name",
        "in",
        held.map(({ name }) => name),
      )
      .execute();
    const lost = new Map(rows.map((row) => [row.name, Number(row.lost)]));
    for (const one of held) one.lost = lost.get(one.name) ?? one.request.unspent;
  }

  /** Counts calls in flight anew, of the processes that live. */
  async #countLiving(tables: Tables, questions: readonly LeasedRequest[]): Promise<void> {
    if (questions.length === 0) return;
    const names = questions.map(({ name }) => name);
    const living = tables.selectFrom("QuotaProcess").select("process").where("seenAt", ">=", this.#ago(LEASE_MS));
    const rows = await tables
      .selectFrom("QuotaLease")
      .select(["name", (eb) => eb.fn.sum<number | string>("free").as("leased")])
      .where("name", "in", names)
      .where("process", "!=", this.#process)
      .where("process", "in", living)
      .groupBy("name")
      .execute();
    const byName = new Map(rows.map(({ name, leased }) => [name, Number(leased)]));
    for (const one of questions) one.leasedByAll = (byName.get(one.name) ?? 0) + one.request.leased;
  }

  /** Returns the id of the transaction on PostgreSQL. */
  async #write(
    tables: Tables,
    questions: readonly LeasedRequest[],
    grants: readonly LeaseGrant[],
  ): Promise<string | undefined> {
    const rows = questions.map(({ name, request }, index) => ({
      name,
      endsAt: request.endsAtMs ?? null,
      leased: grants[index]?.leasedByAll ?? 0,
    }));
    await tables
      .insertInto("QuotaWindow")
      .values(rows)
      .onConflict((conflict) => conflict.column("name").doUpdateSet(({ ref }) => ({ leased: ref("excluded.leased") })))
      .execute();
    const own = questions.map(({ name, request }, index) => {
      return {
        process: this.#process,
        name,
        endsAt: request.endsAtMs ?? null,
        free: grants[index]?.free ?? 0,
        lost: 0,
      };
    });
    const insert = tables
      .insertInto("QuotaLease")
      .values(own)
      .onConflict((conflict) =>
        conflict
          .columns(["process", "name"])
          .doUpdateSet(({ ref }) => ({ free: ref("excluded.free"), lost: ref("excluded.lost") })),
      );
    if (this.#store.engine === "sqlite") return void (await insert.execute());
    const id = sql<string>`pg_current_xact_id()::text`.as("transaction");
    return (await insert.returning(id).executeTakeFirstOrThrow()).transaction;
  }

  /** Returns the time so long ago, by the clock that all processes of the database share. */
  #ago(ms: number) {
    return databaseTime(this.#store, -ms);
  }
}

function getName({ rule, startsAtMs, subject }: LeaseRequest): string {
  return `${rule} ${startsAtMs} ${subject}`;
}

function isInFlight({ request }: LeasedRequest): boolean {
  return QUOTA_RULES[request.rule].window === "inFlight";
}
