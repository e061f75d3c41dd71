import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { endUserLines } from "../dashboard/end-users/end-user-lines.ts";
import { ContentReader } from "../dashboard/history/content-reader.ts";
import { awaitRecords } from "../store/deletions/delete-inferences.ts";
import { deleteEndUser } from "../store/end-users/delete-end-user.ts";
import { readEndUser } from "../store/end-users/read-end-user.ts";
import { findProject } from "./find-project.ts";
import { fail, print, tell } from "./output.ts";
import { withStore } from "./with-config.ts";

/** Only its owner reads a file with texts. */
const MODE = 0o600;

/** Writes all that is known of an end user as JSON lines, to standard output or to a file that must not exist. */
export async function runEndUsersExport(
  endUserId: string,
  { project, out }: { readonly project?: string; readonly out?: string },
): Promise<void> {
  await withStore(async (store) => {
    const { id: projectId } = await findProject(store, project);
    const contents = new ContentReader(() => {});
    const signal = new AbortController().signal;
    const lines = Readable.from(endUserLines(readEndUser(store, { projectId, endUserId }, signal), contents));
    try {
      if (out === undefined) await pipeline(lines, process.stdout, { end: false });
      else await pipeline(lines, createWriteStream(out, { flags: "wx", mode: MODE }));
    } catch (thrown) {
      fail(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      await contents.close();
    }
  });
}

/** Deletes all that the calls of an end user left; without a confirmation it only says what to give. */
export async function runEndUsersDelete(
  endUserId: string,
  { project, confirm }: { readonly project?: string; readonly confirm?: true },
): Promise<void> {
  if (!confirm) fail("this deletes records, texts, feedback and conversations for good: give --confirm to do it");
  await withStore(async (store) => {
    const { id: projectId, name } = await findProject(store, project);
    const { inferences, feedback, conversations } = await deleteEndUser(
      store,
      { projectId, endUserId },
      {
        awaitRecords,
        onProgress: (deleted) => tell(`deleted ${deleted.inferences.toLocaleString("en")} inferences so far`),
      },
    );
    const counts = `${inferences} inferences, ${feedback} feedback entries and ${conversations} conversations`;
    print(`${name}: deleted ${counts} of the end user ${endUserId}, and the figures by it`);
  });
}
