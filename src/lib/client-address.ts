import { isIP } from "node:net";

/** The addresses of a request: what its proxies say, and what its connection comes from. */
interface AddressedRequest {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** An address with the port of its connection, as Azure's gateways write it, or in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;

/** Returns the address of a request's client: that of its connection where what proxies say is no address. */
export function clientAddress({ ip, socket }: AddressedRequest): string {
  const { remoteAddress = "" } = socket;
  if (ip === remoteAddress || isIP(ip) !== 0) return ip;
  const [, bracketed, dotted] = WITH_PORT.exec(ip) ?? [];
  const address = bracketed ?? dotted ?? "";
  return isIP(address) === 0 ? remoteAddress : address;
}
