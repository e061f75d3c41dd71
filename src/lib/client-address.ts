import { isIP } from "node:net";

/** The addresses of a request: what its proxies say, and what its connection comes from. */
interface AddressedRequest {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Returns the address of a request's client: that of its connection where what proxies say is no address. */
export function clientAddress({ ip, socket }: AddressedRequest): string {
  const { remoteAddress = "" } = socket;
  return ip === remoteAddress || isIP(ip) !== 0 ? ip : remoteAddress;
}
