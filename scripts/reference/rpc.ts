import { code, page, table } from "./markdown.ts";
import type { ProtoFile, ProtoType } from "./protos.ts";

const HEADINGS: Readonly<Record<ProtoType["kind"], readonly string[]>> = {
  message: ["field", "type", "meaning"],
  enum: ["value", "meaning"],
  service: ["method", "request → response", "meaning"],
};

function section({ kind, name, comment, members }: ProtoType): string {
  const rows = members.map((member) => [code(member.name), ...(kind === "enum" ? [] : [member.type]), member.comment]);
  return [`### ${name}`, comment.replace(/\n ?/g, " "), table(HEADINGS[kind], rows)]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Returns the page of the RPC API. */
export function rpcPage(files: readonly ProtoFile[]): string {
  const sections = files.map(({ package: name, comment, types }) =>
    [`## ${name}`, comment.replace(/\n ?/g, " "), ...types.map(section)].filter((part) => part !== "").join("\n\n"),
  );
  return page("RPC", "`proto/attune`", [
    "Every service, method and message of the RPC API: Connect, gRPC and gRPC-Web on the port of the HTTP API. " +
      "[How to call it](../rpc.md).",
    ...sections,
  ]);
}

/** Returns the table of services and their methods. That of administration is a page of its own. */
export function servicesTable(files: readonly ProtoFile[]): string {
  const services = files.flatMap(({ types }) => types.filter(({ kind }) => kind === "service"));
  const rows = services.map(({ name, members }) => {
    const methods = members.map((member) => code(member.name)).join(", ");
    return [code(name), name === "AdminService" ? "[administration](administration.md)" : methods];
  });
  return table(["service", "methods"], rows);
}
