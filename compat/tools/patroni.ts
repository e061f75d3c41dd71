import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../test/support/free-port.ts";

/** A member as Patroni's API tells it. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

interface Node {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  readonly data: string;
  readonly patroni: ChildProcess;
}

/** Two servers that Patroni runs, the second by copies of what it is told. */
export interface PatroniCluster {
  readonly ports: readonly number[];
  leader(): Promise<string>;
  /** Has the other server lead, by patronictl. */
  switchOver(): Promise<void>;
  /** Ends the leader and its Patroni as a machine does: at once. */
  killLeader(): Promise<void>;
  stop(): void;
}

const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const WAIT_S = 120;

/**
 * Starts etcd and two servers with the programs `etcd`, `patroni` and `patronictl` of the PATH, and PostgreSQL's of a
 * folder, in the working folder. A commit waits for the other server.
 */
export async function startPatroni(binFolder: string): Promise<PatroniCluster> {
  const [client, peer] = [await freePort(), await freePort()];
  const etcd = spawn(
    "etcd",
    [
      ["--data-dir", folderOf("etcd")],
      ["--listen-client-urls", `http://127.0.0.1:${client}`],
      ["--advertise-client-urls", `http://127.0.0.1:${client}`],
      ["--listen-peer-urls", `http://127.0.0.1:${peer}`],
      ["--initial-advertise-peer-urls", `http://127.0.0.1:${peer}`],
      ["--initial-cluster", `default=http://127.0.0.1:${peer}`],
    ].flat(),
    { stdio: "ignore", ...account },
  );
  const nodes: Node[] = [];
  const stop = () => {
    for (const node of nodes) killNode(node);
    etcd.kill("SIGKILL");
  };
  process.once("exit", stop);
  for (const name of ["one", "two"]) nodes.push(await startNode(name, client, binFolder));
  const members = async (): Promise<readonly Member[]> => {
    for (const { apiPort } of nodes) {
      const answer = await fetch(`http://127.0.0.1:${apiPort}/cluster`).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  };
  const until = async (what: string, isSo: (all: readonly Member[]) => boolean) => {
    let all: readonly Member[] = [];
    for (let left = WAIT_S; left > 0; left--) {
      all = await members();
      if (isSo(all)) return;
      await delay(1000);
    }
    throw new Error(`${what}: ${JSON.stringify(all)}`);
  };
  const leads = ({ role, state }: Member) => role === "leader" && state === "running";
  const leader = async () => (await members()).find(leads)?.name ?? "";
  const inStep = () =>
    until("the servers are not in step", (all) => all.some(leads) && all.some(({ role }) => role === "sync_standby"));
  await inStep();
  return {
    ports: nodes.map(({ port }) => port),
    leader,
    async switchOver() {
      const before = await leader();
      const candidate = before === "one" ? "two" : "one";
      await promisify(execFile)("patronictl", [
        "-c",
        "one.yaml",
        "switchover",
        "attune",
        "--candidate",
        candidate,
        "--force",
      ]);
      await until(`${candidate} does not lead`, (all) => all.some((each) => leads(each) && each.name === candidate));
      await inStep();
    },
    async killLeader() {
      const before = await leader();
      for (const node of nodes.filter(({ name }) => name === before)) killNode(node);
      await until(`${before} still leads`, (all) => all.some((each) => leads(each) && each.name !== before));
    },
    stop,
  };
}

function folderOf(name: string): string {
  mkdirSync(name, { mode: 0o700 });
  if (account.uid !== undefined) chownSync(name, account.uid, account.gid);
  return join(process.cwd(), name);
}

async function startNode(name: string, etcdPort: number, binFolder: string): Promise<Node> {
  const [port, apiPort] = [await freePort(), await freePort()];
  const home = folderOf(name);
  const data = join(home, "data");
  const listen = (at: number) => ({ listen: `127.0.0.1:${at}`, connect_address: `127.0.0.1:${at}` });
  const config = {
    scope: "attune",
    name,
    restapi: listen(apiPort),
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: { ttl: 20, loop_wait: 2, retry_timeout: 5, synchronous_mode: true },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }],
    },
    postgresql: {
      ...listen(port),
      data_dir: data,
      bin_dir: binFolder,
      pgpass: join(home, "pgpass"),
      pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
      authentication: {
        superuser: { username: "postgres", password: "secret" },
        replication: { username: "replicator", password: "secret" },
      },
      parameters: { unix_socket_directories: home, shared_buffers: "16MB", max_connections: 60 },
    },
  };
  // JSON is YAML.
  writeFileSync(`${name}.yaml`, JSON.stringify(config));
  const log = process.env["PATRONI_OUTPUT"] === undefined ? "ignore" : "inherit";
  const patroni = spawn("patroni", [`${name}.yaml`], { stdio: ["ignore", log, log], ...account });
  return { name, port, apiPort, data, patroni };
}

function killNode({ data, patroni }: Node): void {
  patroni.kill("SIGKILL");
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const [pid] = readFileSync(file, "utf8").split("\n");
  // Removed, since another process may have the number when this comes again.
  rmSync(file);
  process.kill(Number(pid), "SIGKILL");
}
