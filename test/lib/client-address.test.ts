import { describe, expect, it } from "vitest";
import { clientAddress } from "../../src/lib/client-address.ts";

describe("clientAddress()", () => {
  it.each([
    ["192.0.2.7", "203.0.113.1", "192.0.2.7"],
    ["2001:db8::7", "203.0.113.1", "2001:db8::7"],
    ["unknown", "203.0.113.1", "203.0.113.1"],
    ["", undefined, ""],
  ])("takes %s, said by a proxy at %s, for %s", (ip, remoteAddress, address) => {
    expect(clientAddress({ ip, socket: { remoteAddress } })).toBe(address);
  });
});
