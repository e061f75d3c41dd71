// Writes gen/attune/comments.ts: the comments of the protos whose messages the OpenAPI document has.
import { writeFileSync } from "node:fs";
import { readProtos } from "./reference/protos.ts";

/** Packages of the RPCs that are routes too, and of their messages. */
const PACKAGES = ["attune.admin.v1", "attune.usage.v1", "attune.workload.v1"];

const comments = readProtos()
  .filter((file) => PACKAGES.includes(file.package))
  .flatMap((file) =>
    file.types.flatMap(({ kind, name, comment, members }) => {
      const type = `${file.package}.${name}`;
      const own = kind === "message" ? [[type, comment] as const] : [];
      return kind === "enum" ? [] : [...own, ...members.map((member) => [`${type}.${member.name}`, member.comment])];
    }),
  )
  .map(([name = "", comment = ""]) => [name, comment.replace(/\s+/g, " ")]);

writeFileSync(
  new URL("../gen/attune/comments.ts", import.meta.url),
  `/** Comments of messages, of their fields, and of methods, by full name. */
export const COMMENTS: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(comments), null, 2)};
`,
);
