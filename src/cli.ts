import { createProgram } from "./cli/program.ts";
import { describeUnexpected } from "./cli/unexpected.ts";

// Whoever has read enough, such as `attune keys list | head -1`, ends the command.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit(0);
  process.stderr.write(`attune: standard output cannot be written: ${message}\n`);
  process.exit(1);
});

await createProgram()
  .parseAsync()
  .catch((thrown: unknown) => {
    process.stderr.write(`${describeUnexpected(thrown)}\n`);
    process.exit(1);
  });
