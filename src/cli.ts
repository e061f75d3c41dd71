import { createProgram } from "./cli/program.ts";

// Whoever has read enough, such as `attune keys list | head -1`, ends the command.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

await createProgram().parseAsync();
