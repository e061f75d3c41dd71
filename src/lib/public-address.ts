import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Semaphore } from "./semaphore.ts";

/** Networks that are no part of the internet (IANA's special-purpose registries), by family. */
const SPECIAL = {
  ipv4: [
    ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
    ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
    ...["224.0.0.0/4", "240.0.0.0/4"],
  ],
  // 64:ff9b::/96 and 2002::/16 carry addresses of IPv4, which may be private.
  ipv6: [
    ...["::/128", "::1/128", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16"],
    ...["3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
  ],
} as const;

const special = new BlockList();
for (const family of ["ipv4", "ipv6"] as const) {
  for (const network of SPECIAL[family]) {
    const [address = "", bits] = network.split("/");
    special.addSubnet(address, Number(bits), family);
  }
}

/** Returns whether an IP address is one of the internet: private networks, this host and link-local ones are not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  // BlockList holds addresses of IPv4 within IPv6 (::ffff:10.0.0.1) against the rules of IPv4.
  return family !== 0 && !special.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** A host is, or resolves to, an address that is not of the internet. */
export class PrivateAddressError extends Error {
  override name = "PrivateAddressError";

  constructor(host: string) {
    super(`${host} is not an address of the internet; alerts.allowPrivateAddresses of attune.yaml allows it`);
  }
}

/**
 * Rejects with PrivateAddressError where a URL leads, now, to anything but the internet. Names that one `owner` gives
 * wait for each other; absent: the name is an owner of its own.
 */
export async function checkPublicUrl(url: string, owner?: string): Promise<void> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw new PrivateAddressError(host);
    return;
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  lookupInTurn(owner ?? host)(host, { all: true }, (error) => (error === null ? resolve() : reject(error)));
  await promise;
}

/**
 * Node resolves two names at a time. Those that people give wait for each other: however long their servers take, the
 * other place is left to all else that is connected to. Twenty messages of a project are sent at once.
 */
const places = new Semaphore(1, { max: 1000, maxOfOwner: 20 });
/** The time that a name may wait for its place. */
const PLACE_MS = 10_000;

/**
 * Resolves a name for a connection, and fails with PrivateAddressError where any of its addresses is not of the
 * internet: a name that is checked before may lead elsewhere by the time it is connected to.
 */
export const publicLookup: LookupFunction = (host, ...question) => lookupInTurn(host)(host, ...question);

/** Returns what resolves the names of an owner, who takes turns with all others. */
function lookupInTurn(owner: string): LookupFunction {
  return (host, options, callback) => {
    void places.acquire({ owner, timeoutMs: PLACE_MS }).then((hasPlace) => {
      if (hasPlace) return resolve(host, options, callback);
      const error = new Error(`${host} could not be resolved: too many names wait for that`);
      process.nextTick(callback, Object.assign(error, { code: "EAI_AGAIN" }), []);
    });
  };
}

/** Resolves a name in a place, which is free again then. */
function resolve(...[host, options, callback]: Parameters<LookupFunction>): void {
  // An error comes without addresses.
  const end = (error: Error | null, addresses: LookupAddress[] = []): void => {
    places.release();
    const [first] = addresses;
    if (error !== null || first === undefined) callback(error ?? new Error(`${host} has no address`), []);
    else if (addresses.some(({ address }) => !isPublicAddress(address))) callback(new PrivateAddressError(host), []);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
  try {
    lookup(host, { ...options, all: true }, end);
  } catch (thrown) {
    process.nextTick(end, thrown instanceof Error ? thrown : new Error(String(thrown)), []);
  }
}
