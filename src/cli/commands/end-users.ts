import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { DeletionState } from "../../../gen/attune/admin/v1/project_pb.ts";
import { type AdminClient, defineAdminCommand } from "../admin-client.ts";
import { argument, type CommandGroup, option } from "../command.ts";
import { LIMIT_OPTIONS } from "../limit-options.ts";
import { describeProject, json, PROJECT, PROJECT_OR_ALL } from "../options.ts";
import { fail, print, tell } from "../output.ts";
import { listQuotas, QUOTA_MEMBERS, setQuota } from "../quota-owner.ts";

/** Only its owner reads a file with texts. */
const MODE = 0o600;

const POLL_MS = 500;
/** Polls after which a deletion is asked for again: its process may have died, and then it goes on here. */
const ASK_AGAIN = 10;

const ID = argument("id of the end user, as calls send it");

/** `attune end-users`. */
export const endUsers: CommandGroup = {
  commands: {
    list: defineAdminCommand({
      summary: "list the end users with limits of their own",
      options: { ...PROJECT_OR_ALL, ...json("list", QUOTA_MEMBERS) },
      run: (admin, options) => listQuotas(admin, { ...options, kind: "endUser" }),
    }),

    update: defineAdminCommand({
      summary: "set limits of an end user; omitted limits keep their values",
      arguments: { id: ID },
      options: { ...PROJECT, ...LIMIT_OPTIONS },
      run: (admin, { id, project, ...options }) => setQuota(admin, { endUser: id, project }, options),
    }),

    export: defineAdminCommand({
      summary: "print all data of an end user as JSON lines",
      arguments: { id: ID },
      options: {
        ...PROJECT,
        out: option("file", "write it to a new file that only you can read"),
      },
      async run(admin, { id, project, out }) {
        // The first page is asked for before there is a file: what is refused leaves none.
        let page = await admin.exportEndUser({ project, id });
        if (page.items.length === 0 && page.nextPageToken === "") {
          return tell(`nothing is known of the end user ${id} in ${describeProject(project)}`);
        }
        await writeTo(out, async (write) => {
          for (;;) {
            for (const item of page.items) await write(`${item}\n`);
            if (page.nextPageToken === "") return;
            page = await admin.exportEndUser({ project, id, pageToken: page.nextPageToken });
          }
        });
      },
    }),

    delete: defineAdminCommand({
      summary: "delete all data of an end user: records, texts, feedback and conversations",
      arguments: { id: ID },
      options: PROJECT,
      confirm: ({ id }) => `Delete all records, texts, feedback and conversations of the end user ${id} for good?`,
      async run(admin, { id, project }) {
        const { deletion } = await admin.deleteEndUser({ project, id });
        const target = { project, endUserId: id, deletionId: deletion?.id ?? "" };
        const { inferences, feedback, conversations } = await waitForEnd(admin, target);
        const entries = `${count(inferences, "inference")}, ${count(feedback, "feedback entry", "feedback entries")}`;
        const counts = `${entries} and ${count(conversations, "conversation")}`;
        print(`${describeProject(project)}: deleted ${counts} of the end user ${id}, and the figures by it`);
        if (inferences + feedback + conversations === 0n) tell(`Nothing was recorded of ${id}: check the id.`);
      },
    }),
  },
};

/** Lends a function that writes texts to a file, or to standard output; ends the command where that fails. */
async function writeTo(
  file: string | undefined,
  work: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (file === undefined) return await work((text) => writeAll(process.stdout, text));
  const stream = createWriteStream(file, { flags: "wx", mode: MODE });
  try {
    await once(stream, "open");
    await work((text) => writeAll(stream, text));
    stream.end();
    await once(stream, "close");
  } catch (thrown) {
    stream.destroy();
    if (thrown instanceof Error && "syscall" in thrown) fail(thrown.message);
    throw thrown;
  }
}

/** Writes a text, and waits where the reader is slower. */
async function writeAll(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}

function count(number: bigint, one: string, several = `${one}s`): string {
  return `${number} ${number === 1n ? one : several}`;
}

/** Tells how far a deletion is until it is done; ends the command where it failed. */
async function waitForEnd(
  admin: AdminClient,
  { project, endUserId, deletionId }: Readonly<Record<"project" | "endUserId" | "deletionId", string>>,
) {
  let shown = 0n;
  for (let polls = 1; ; polls++) {
    const { deletions } = await admin.listEndUserDeletions({ project, endUserId });
    const found = deletions.find(({ id }) => id === deletionId);
    if (found === undefined || found.state === DeletionState.FAILED) {
      fail("the deletion failed: deleted data stays deleted; run the command again to continue");
    }
    if (found.state === DeletionState.DONE) return found;
    if (found.inferences > shown) tell(`deleted ${found.inferences.toLocaleString("en")} inferences so far`);
    shown = found.inferences;
    // By its id: where it has ended since, no other one begins.
    if (polls % ASK_AGAIN === 0) await admin.deleteEndUser({ project, id: endUserId, deletionId });
    await delay(POLL_MS);
  }
}
