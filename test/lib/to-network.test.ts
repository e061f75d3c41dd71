import { describe, expect, it } from "vitest";
import { toNetwork } from "../../src/lib/to-network.ts";

describe("toNetwork()", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2"],
    ["2001:db8::5", "2001:db8:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"],
    ["unknown", "unknown"],
  ])("has %s belong to %s", (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });
});
