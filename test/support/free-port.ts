import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Where ports begin that are given here: below those from which systems take one for whoever asks for any, or connects,
 * so that none of them is taken by another test once it was found free.
 */
const FIRST = 10_000;
/** Each process has ports of its own; those of one run have ids that follow each other. */
const OWN = 16;
const BLOCKS = 1400;

let given = 0;

/** Finds a port of the loopback address that is free, and that no other process of the tests gets. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < OWN; tries++) {
    const port = FIRST + (process.pid % BLOCKS) * OWN + (given++ % OWN);
    if (await isFree(port)) return port;
  }
  throw new Error(`all ${OWN} ports of this process are taken`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  await new Promise((done) => probe.close(done));
  return true;
}
