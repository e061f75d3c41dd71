import { defineRootCommand } from "../command.ts";
import { fail, print, tell } from "../output.ts";

const HELP = `
Run it while an image is built, at the path that the image will have: any user can then serve from a read-only file
system. The server itself is built before any command runs.`;

/** `attune build`. */
export const build = defineRootCommand({
  help: HELP,
  async run() {
    const { startDashboardBuild } = await import("../../dashboard/build/dashboard-build.ts");
    const built = startDashboardBuild(tell);
    await built.done;
    if (built.state.kind === "failed") fail(built.state.message);
    if (built.state.kind === "ready") print(`The dashboard is in ${built.state.folder}`);
  },
});
