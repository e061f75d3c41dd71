import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** Asks the system for a port of the loopback address that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}
