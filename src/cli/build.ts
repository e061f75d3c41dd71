import type { Command } from "commander";
import { fail, print, tell } from "./output.ts";

const HELP = `
Run it while an image is built, at the path that the image will have: any user can then serve from a read-only file
system. The server itself is built before any command runs.`;

/** Adds `attune build`. */
export function addBuildCommand(program: Command): void {
  program
    .command("build")
    .description("build the server and the dashboard, which a start does otherwise")
    .addHelpText("after", HELP)
    .action(async () => {
      const { startDashboardBuild } = await import("../dashboard/build/dashboard-build.ts");
      const build = startDashboardBuild(tell);
      await build.done;
      if (build.state.kind === "failed") fail(build.state.message);
      if (build.state.kind === "ready") print(`The dashboard is in ${build.state.folder}`);
    });
}
