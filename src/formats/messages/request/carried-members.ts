import { isJsonObject } from "../../shared/json.ts";
import { carriedTable, jsonMember, type Member } from "../../shared/member.ts";
import { WireError } from "../../shared/read.ts";
import { CARRIED as DESCRIPTION } from "../../shared/request-members.ts";
import { anyObject, oneOf, text } from "../../shared/schema.ts";

const container: Member = {
  read: (value, path) => {
    if (typeof value !== "string" && !isJsonObject(value)) throw new WireError(path, "must be a string or an object");
  },
  schema: oneOf([text("Its id"), anyObject("The container")], DESCRIPTION),
};

/** Members of a request that only this format has. */
export const CARRIED = carriedTable({ container, context_management: jsonMember(DESCRIPTION) });
