import { startPostgres } from "./postgres.ts";
import { writeFileSync } from "node:fs";
const server = await startPostgres({ sharedBuffers: "256MB" } as never);
writeFileSync("/tmp/pg.url", server.createDatabaseUrl());
setInterval(() => {}, 1000);
process.on("SIGTERM", async () => { await server.stop(); process.exit(0); });
