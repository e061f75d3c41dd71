import { isIPv6 } from "node:net";

/** Groups of an IPv6 address that a provider gives one customer. */
const CUSTOMER_GROUPS = 4;
const ALL_GROUPS = 8;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the network of whoever has an address: of IPv6 the first 64 bits, within which one host has as many
 * addresses as it likes. An IPv4 address is its own, also where it is written as IPv6.
 */
export function toNetwork(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const [left, right] = [getGroups(head), getGroups(tail ?? "")];
  const missing = tail === undefined ? 0 : ALL_GROUPS - left.length - right.length;
  const groups = [...left, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...right];
  return groups.slice(0, CUSTOMER_GROUPS).map(withoutZeros).join(":");
}

function getGroups(part: string): string[] {
  return part === "" ? [] : part.split(":");
}

function withoutZeros(group: string): string {
  return group.replace(/^0+(?=.)/, "");
}
