import { describe, expect, it } from "vitest";
import { checkPublicUrl, isPublicAddress, publicLookup } from "../../src/lib/public-address.ts";

describe("isPublicAddress()", () => {
  it.each([
    ...["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"],
    ...["255.255.255.255", "::1", "::", "fe80::1", "fd00:ec2::254", "::ffff:127.0.0.1", "::ffff:a00:1", "ff02::1"],
    ...["64:ff9b::a00:1", "2002:a00:1::", "localhost", ""],
  ])("says no of %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "::ffff:8.8.8.8"])(
    "says yes of %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("checkPublicUrl()", () => {
  it.each([
    "http://127.0.0.1:9000/x",
    "http://[::1]/",
    "http://2130706433/",
    "http://0x7f.1/",
    "https://localhost/hook",
  ])("refuses %s", async (url) => {
    await expect(checkPublicUrl(url)).rejects.toThrow("is not an address of the internet");
  });

  it("takes an address of the internet, without asking it anything", async () => {
    await expect(checkPublicUrl("https://1.1.1.1/hook")).resolves.toBeUndefined();
  });
});

describe("publicLookup()", () => {
  it("fails for a name of this host, so that a connection is not made", async () => {
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    publicLookup("localhost", { all: true }, (error) => resolve(error));
    expect(await promise).toMatchObject({ name: "PrivateAddressError" });
  });
});
