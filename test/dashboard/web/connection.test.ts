import { describe, expect, it } from "vitest";
import { createConnection } from "../../../src/dashboard/web/api/connection.ts";

/** A server that is away, and waits that end when the test says so. */
function setUp() {
  const waits: { ms: number; end: () => void }[] = [];
  const heard: unknown[] = [];
  const server = { isThere: false, pings: 0, now: 1000 };
  const connection = createConnection({
    ping: async () => {
      server.pings += 1;
      return server.isThere;
    },
    wait: (ms) => new Promise<void>((resolve) => waits.push({ ms, end: resolve })),
    now: () => server.now,
  });
  connection.subscribe(() => heard.push(connection.state()));
  return { connection, server, waits, heard };
}

const waitFor = (condition: () => boolean) => expect.poll(condition).toBe(true);

describe("createConnection()", () => {
  it("tries again by itself, ever more rarely, until the server is back", async () => {
    const { connection, server, waits, heard } = setUp();
    expect(connection.state()).toEqual({ downSince: undefined, reason: undefined, backSince: undefined });
    connection.reportDown("away");
    connection.reportDown("away");
    for (const [index, ms] of [1000, 2000, 4000, 8000, 15_000, 15_000].entries()) {
      await waitFor(() => waits.length === index + 1);
      expect(waits[index]?.ms).toBe(ms);
      waits[index]?.end();
    }
    await waitFor(() => waits.length === 7);
    expect(server.pings).toBe(6);
    server.isThere = true;
    server.now = 90_000;
    waits[6]?.end();
    await waitFor(() => heard.length === 2);
    expect(heard).toEqual([
      { downSince: 1000, reason: "away", backSince: undefined },
      { downSince: undefined, reason: undefined, backSince: 90_000 },
    ]);
  });

  it("tries at once when asked to", async () => {
    const { connection, server, waits } = setUp();
    connection.reportDown("away");
    await waitFor(() => waits.length === 1);
    expect(await connection.tryNow()).toBe(false);
    server.isThere = true;
    expect(await connection.tryNow()).toBe(true);
    expect(connection.state()).toEqual({ downSince: undefined, reason: undefined, backSince: 1000 });
    // The wait that was under way asks no more.
    waits[0]?.end();
    await connection.tryNow();
    expect(connection.state().downSince).toBeUndefined();
  });

  it("notices the next time", async () => {
    const { connection, server, waits } = setUp();
    connection.reportDown("away");
    server.isThere = true;
    await connection.tryNow();
    server.isThere = false;
    server.now = 50_000;
    connection.reportDown("away");
    expect(connection.state()).toEqual({ downSince: 50_000, reason: "away", backSince: undefined });
    await waitFor(() => waits.length === 2);
    expect(waits[1]?.ms).toBe(1000);
  });

  it("waits longer where something goes on failing though the server answers", async () => {
    const { connection, server, waits } = setUp();
    server.isThere = true;
    for (const [index, ms] of [1000, 2000, 4000, 8000, 15_000, 15_000].entries()) {
      connection.reportDown("a part is away");
      await waitFor(() => waits.length === index + 1);
      expect(waits[index]?.ms).toBe(ms);
      waits[index]?.end();
      await waitFor(() => connection.state().backSince !== undefined);
    }
  });
});
