import { describe, expect, it } from "vitest";
import { type ChangeOrigin, PROCESS_ORIGIN } from "../../../src/vocabulary/change-origin.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

/** Changes of a process at once. */
const AT_ONCE = 4;

const ofProject = (queueOwner: string): ChangeOrigin => ({ ...PROCESS_ORIGIN, queueOwner });
const ofActor = (id: string): ChangeOrigin => ({ actor: { kind: "admin-key", id, label: id }, via: "rpc" });

// SQLite makes one change at a time anyway: there the places of others cannot be taken.
describe.each(ENGINES.filter((engine) => engine !== "sqlite"))("unitOfWork() on %s", (engine) => {
  const databases = useDatabases(engine);

  /** Returns the order in which changes that all wait begin, one after another: the other places are taken. */
  async function orderOf(names: readonly string[], originOf: (name: string) => ChangeOrigin): Promise<string[]> {
    const { store } = databases;
    const [one, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holders = Array.from({ length: AT_ONCE }, (_, at) => {
      const begun = Promise.withResolvers<void>();
      const ended = store.as(originOf("holding")).unitOfWork(async () => {
        begun.resolve();
        await (at === 0 ? one : all).promise;
      });
      return { begun: begun.promise, ended };
    });
    await Promise.all(holders.map(({ begun }) => begun));
    const order: string[] = [];
    const waiting = names.map((name) => store.as(originOf(name)).unitOfWork(async () => void order.push(name)));
    one.resolve();
    await Promise.all(waiting);
    all.resolve();
    await Promise.all(holders.map(({ ended }) => ended));
    return order;
  }

  it.each([
    ["projects", ofProject],
    ["actors without a project", ofActor],
  ])("has %s take turns where changes wait, however many one of them makes", async (_who, originOf) => {
    const flood = Array.from({ length: 20 }, () => "flooding");
    const order = await orderOf([...flood, "quiet", "other", "quiet"], originOf);
    const turns = ["flooding", "quiet", "other", "flooding", "quiet"];
    expect(order).toEqual([...turns, ...flood.slice(2)]);
  });
});
