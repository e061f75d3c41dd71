/** What every gateway is measured against: node:http in, node:http out, bytes passed on unread. */
import { Agent, createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { answerReadings } from "./measured-process.ts";

const upstream = new URL(process.env["BENCH_UPSTREAM"] ?? "");
const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  const { "content-length": length } = request.headers;
  const outgoing = send(
    {
      agent,
      host: upstream.hostname,
      port: upstream.port,
      method: "POST",
      path: request.url,
      headers: { "content-type": "application/json", ...(length === undefined ? {} : { "content-length": length }) },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  request.pipe(outgoing);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => answerReadings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on("SIGTERM", () => process.exit(0));
