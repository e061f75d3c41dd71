import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { DeletionState } from "../../../gen/attune/admin/v1/project_pb.ts";
import { DEFAULT_PROJECT } from "../../store/entities/project.ts";
import { type AdminClient, withAdmin } from "../admin-client.ts";
import { argument, type CommandGroup, defineCommand, option } from "../command.ts";
import { confirm } from "../confirm.ts";
import { LIMIT_OPTIONS } from "../limit-options.ts";
import { CONFIRMATION, json, PROJECT, PROJECT_OR_ALL, SERVICE } from "../options.ts";
import { fail, print, tell } from "../output.ts";
import { listQuotas, QUOTA_MEMBERS, readEndUser, setQuota } from "../quota-owner.ts";

/** Only its owner reads a file with texts. */
const MODE = 0o600;

const POLL_MS = 500;
/** Polls after which a deletion is asked for again: its process may have died, and then it goes on here. */
const ASK_AGAIN = 10;

const ID = argument("id of the end user, as calls send it", readEndUser);

/** `attune end-users`. */
export const endUsers: CommandGroup = {
  commands: {
    list: defineCommand({
      summary: "list the end users that have limits by name",
      options: { ...PROJECT_OR_ALL, ...json("list", QUOTA_MEMBERS), ...SERVICE },
      run: (options) => listQuotas({ ...options, kind: "endUser" }),
    }),

    update: defineCommand({
      summary: "set limits of an end user; omitted limits keep their values",
      arguments: { id: ID },
      options: { ...PROJECT, ...LIMIT_OPTIONS, ...SERVICE },
      run: ({ id, project, ...options }) => setQuota({ endUser: id, project }, options),
    }),

    export: defineCommand({
      summary: "print all data of an end user as JSON lines",
      arguments: { id: ID },
      options: {
        ...PROJECT,
        out: option("file", "write it to a new file that only you can read"),
        ...SERVICE,
      },
      async run({ id, project = DEFAULT_PROJECT.id, out, ...options }) {
        await withAdmin(options, { project }, async (admin) => {
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
        });
      },
    }),

    delete: defineCommand({
      summary: "delete all data of an end user: records, texts, feedback and conversations",
      arguments: { id: ID },
      options: { ...PROJECT, ...CONFIRMATION, ...SERVICE },
      async run({ id, project = DEFAULT_PROJECT.id, yes, ...options }) {
        const text = `Delete all records, texts, feedback and conversations of the end user ${id} for good?`;
        if (!(await confirm({ text, yes }))) {
          fail("this deletes records, texts, feedback and conversations for good: give --yes to do it");
        }
        await withAdmin(options, { project }, async (admin) => {
          const { deletion } = await admin.deleteEndUser({ project, id });
          const target = { project, endUserId: id, deletionId: deletion?.id ?? "" };
          const { inferences, feedback, conversations } = await waitForEnd(admin, target);
          const entries = `${count(inferences, "inference")}, ${count(feedback, "feedback entry", "feedback entries")}`;
          const counts = `${entries} and ${count(conversations, "conversation")}`;
          print(`${describeProject(project)}: deleted ${counts} of the end user ${id}, and the figures by it`);
          if (inferences + feedback + conversations === 0n) tell(`Nothing was recorded of ${id}: check the id.`);
        });
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

/** Returns a project as people know it: the default one is given by its id where none is named. */
function count(number: bigint, one: string, several = `${one}s`): string {
  return `${number} ${number === 1n ? one : several}`;
}

function describeProject(project: string): string {
  return project === DEFAULT_PROJECT.id ? "the default project" : project;
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
      fail("the deletion failed: what is deleted stays so; run the command again to go on");
    }
    if (found.state === DeletionState.DONE) return found;
    if (found.inferences > shown) tell(`deleted ${found.inferences.toLocaleString("en")} inferences so far`);
    shown = found.inferences;
    // By its id: where it has ended since, no other one begins.
    if (polls % ASK_AGAIN === 0) await admin.deleteEndUser({ project, id: endUserId, deletionId });
    await delay(POLL_MS);
  }
}
