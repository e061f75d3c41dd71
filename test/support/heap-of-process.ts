import { once } from "node:events";
import type { RunningCli } from "./run-cli.ts";
import { waitUntil } from "./wait.ts";

/** The environment with which a process answers heapOf(). */
export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

/** Has a process collect its garbage, and returns the bytes that its heap holds. */
export async function heapOf(cli: RunningCli): Promise<number> {
  const url = await waitUntil(() => /Debugger listening on (ws:\S+)/.exec(cli.complained())?.[1]);
  const socket = new WebSocket(url);
  await once(socket, "open");
  const call = async (id: number, method: string) => {
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [{ data }] = (await once(socket, "message")) as [{ readonly data: string }];
      const answer = JSON.parse(data) as { id?: number; result?: { usedSize?: number } };
      if (answer.id === id) return answer.result;
    }
  };
  // What the first collection sets free may hold more.
  for (const id of [1, 2, 3]) await call(id, "HeapProfiler.collectGarbage");
  const usage = await call(4, "Runtime.getHeapUsage");
  const closed = once(socket, "close");
  socket.close();
  await closed;
  if (usage?.usedSize === undefined) throw new Error("the process does not tell its heap");
  return usage.usedSize;
}
