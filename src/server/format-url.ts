import type { AddressInfo } from "node:net";
import { formatAddress } from "../lib/format-address.ts";

/**
 * The URL of a server that listens on a port; 0.0.0.0 and :: mean every address of the machine. Throws an Error for one
 * that does not.
 */
export function formatUrl(listening: AddressInfo | string | null, scheme: "http" | "https" = "http"): string {
  if (listening === null || typeof listening === "string") throw new Error("the server listens on no port");
  const { address, port } = listening;
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address;
  return `${scheme}://${formatAddress(host, port)}`;
}
