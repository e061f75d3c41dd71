// Ends with 0 while the service of this container answers. Readiness is for who sends requests: GET /readyz.
const { ATTUNE_HOST: host = "127.0.0.1", ATTUNE_PORT: port = "8080" } = process.env;
const address = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
const { ok } = await fetch(`http://${address}:${port}/healthz`).catch(() => ({ ok: false }));
process.exit(ok ? 0 : 1);
