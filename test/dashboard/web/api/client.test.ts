import { afterEach, describe, expect, it, vi } from "vitest";
import { ALONE, api } from "../../../../src/dashboard/web/api/client.ts";
import { DASHBOARD_PATH } from "../../../../src/dashboard/web/dashboard-path.ts";

/** A server that hangs: it takes requests, and answers none. */
function hang(): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string, { signal }: { signal?: AbortSignal }) => {
    asked.push(url.replace(/\?.*/, ""));
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe("api", () => {
  // The look for new requests was in one batch with the names of keys, and a server that hung was never noticed.
  it("ends a call that travels alone by its own signal, whatever else is asked at the moment", async () => {
    const asked = hang();
    const [own, other] = [new AbortController(), new AbortController()];
    const names = api.keys.names.query({ projectId: "p", publicIds: ["k"] }, { signal: other.signal });
    const facts = api.session.current.query(undefined, { signal: other.signal });
    const alone = api.managed.list.query({ projectId: "p" }, { signal: own.signal, ...ALONE });
    const failures = [names, facts, alone].map((call) => expect(call).rejects.toThrow());
    await expect
      .poll(() => asked.toSorted())
      .toEqual([`${DASHBOARD_PATH}/api/keys.names,session.current`, `${DASHBOARD_PATH}/api/managed.list`]);
    own.abort();
    await failures[2];
    other.abort();
    await Promise.all(failures);
  });
});
