import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { DeletionState } from "../../gen/attune/admin/v1/project_pb.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { type AdminClient, type RemoteOptions, withAdmin } from "./admin-client.ts";
import { fail, print, tell } from "./output.ts";

/** Only its owner reads a file with texts. */
const MODE = 0o600;

const POLL_MS = 500;
/** Polls after which a deletion is asked for again: its process may have died, and then it goes on here. */
const ASK_AGAIN = 10;

/** The options of the commands on an end user's data. */
interface EndUserOptions extends RemoteOptions {
  readonly project?: string;
}

/** Writes all that is known of an end user as JSON lines, to standard output or to a file that must not exist. */
export async function runEndUsersExport(
  id: string,
  { project = DEFAULT_PROJECT.id, out, ...options }: EndUserOptions & { readonly out?: string },
): Promise<void> {
  await withAdmin(options, { project }, async (admin) => {
    // The first page is asked for before there is a file: what is refused leaves none.
    let page = await admin.exportEndUser({ project, id });
    if (page.items.length === 0 && page.nextPageToken === "") {
      return tell(`nothing is known of the end user ${id} in ${nameOf(project)}`);
    }
    await writeTo(out, async (write) => {
      for (;;) {
        for (const item of page.items) await write(`${item}\n`);
        if (page.nextPageToken === "") return;
        page = await admin.exportEndUser({ project, id, pageToken: page.nextPageToken });
      }
    });
  });
}

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

/** Deletes all that the calls of an end user left; without a confirmation it only says what to give. */
export async function runEndUsersDelete(
  id: string,
  { project = DEFAULT_PROJECT.id, confirm, ...options }: EndUserOptions & { readonly confirm?: true },
): Promise<void> {
  if (!confirm) fail("this deletes records, texts, feedback and conversations for good: give --confirm to do it");
  await withAdmin(options, { project }, async (admin) => {
    const { deletion } = await admin.deleteEndUser({ project, id });
    const { inferences, feedback, conversations } = await waitForEnd(admin, {
      ...{ project, endUserId: id },
      deletionId: deletion?.id ?? "",
    });
    const counts = `${inferences} inferences, ${feedback} feedback entries and ${conversations} conversations`;
    print(`${nameOf(project)}: deleted ${counts} of the end user ${id}, and the figures by it`);
  });
}

/** Returns a project as people know it: the default one is given by its id where none is named. */
function nameOf(project: string): string {
  return project === DEFAULT_PROJECT.id ? "the default project" : project;
}

/** Tells how far a deletion is until it is done; ends the command where it failed. */
async function waitForEnd(
  admin: AdminClient,
  { project, endUserId, deletionId }: Readonly<Record<"project" | "endUserId" | "deletionId", string>>,
) {
  let told = 0n;
  for (let polls = 1; ; polls++) {
    const { deletions } = await admin.listEndUserDeletions({ project, endUserId });
    const found = deletions.find(({ id }) => id === deletionId);
    if (found === undefined || found.state === DeletionState.FAILED) {
      fail("the deletion failed: what is deleted stays so; run the command again to go on");
    }
    if (found.state === DeletionState.DONE) return found;
    if (found.inferences > told) tell(`deleted ${found.inferences.toLocaleString("en")} inferences so far`);
    told = found.inferences;
    // By its id: where it has ended since, no other one begins.
    if (polls % ASK_AGAIN === 0) await admin.deleteEndUser({ project, id: endUserId, deletionId });
    await delay(POLL_MS);
  }
}
