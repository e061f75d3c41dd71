// Ends with 0 while the service of this container answers. Readiness is for who sends requests: GET /readyz.
import http from "node:http";
import https from "node:https";

/** A port with server.tls.clientCa asks for a certificate that this check does not have. By that it answers too. */
const ASKS_FOR_CERTIFICATE = "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED";
const LIMIT_MS = 2500;

const { ATTUNE_HOST: host = "127.0.0.1", ATTUNE_PORT: port = "8080" } = process.env;
const hostname = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
const signal = AbortSignal.timeout(LIMIT_MS);

/** Resolves to true where GET /healthz is answered. The certificate names the service and not this address. */
function answers({ get }) {
  return new Promise((resolve) => {
    get({ hostname, port, path: "/healthz", rejectUnauthorized: false, agent: false, signal }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on("error", ({ code }) => resolve(code === ASKS_FOR_CERTIFICATE));
  });
}

// With server.tls the port speaks HTTPS alone.
process.exit((await answers(http)) || (await answers(https)) ? 0 : 1);
