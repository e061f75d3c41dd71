/**
 * The three places of the bench, each a server on a port of its own, and one server to direct them: GET tells where
 * they are and how often each was called, PUT how each behaves from then on.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createRandom } from "../../../src/lib/hash.ts";
import { answerReadings } from "../measured-process.ts";
import { type Behaviour, PLACES, type PlaceName } from "./fault-scripts.ts";
import { ScriptedPlace } from "./scripted-place.ts";

const { BENCH_SEED: seed = "" } = process.env;
const places = PLACES.map((name) => ({ name, place: new ScriptedPlace(createRandom(`${seed}-${name}`)), url: "" }));
for (const entry of places) entry.url = await entry.place.listen();

const direct = createServer(async (request, response) => {
  if (request.method === "PUT") {
    const behaviours: Record<PlaceName, Behaviour> = JSON.parse(await text(request));
    await Promise.all(places.map(({ name, place }) => place.behave(behaviours[name])));
  }
  const told = Object.fromEntries(places.map(({ name, place, url }) => [name, { url, calls: place.calls }]));
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(told));
});
direct.listen(0, "127.0.0.1", () => answerReadings(`http://127.0.0.1:${(direct.address() as AddressInfo).port}`));
process.on("SIGTERM", () => process.exit(0));
