import type { KeyObject } from "node:crypto";
import { Signer } from "../lib/signer.ts";
import type { DestinationKind, OwnedDestination } from "./ports.ts";
import type { AlertSettings } from "./settings.ts";

/** A destination that a message can be sent to. */
export interface Destination {
  /** `config:NAME`, or the id of a project's own. */
  readonly id: string;
  readonly name: string;
  readonly kind: DestinationKind;
  readonly target: string;
  readonly secret: string | undefined;
  /** Undefined for those of the configuration, which are sent what happens in all projects. */
  readonly projectId: string | undefined;
  /** False where its address has to be one of the internet. */
  readonly mayBePrivate: boolean;
  readonly sends: readonly string[];
  readonly rules: readonly string[] | undefined;
}

const SECRET_BYTES = 32;

/** Returns the secret that messages to a project's own webhook are signed with: it follows from the installation's. */
export function destinationSecret(
  signingKey: KeyObject,
  { id, projectId }: Pick<OwnedDestination, "id" | "projectId">,
) {
  const signer = new Signer(signingKey, projectId);
  const secret = signer.sign({ purpose: "alert-destination", label: id, payload: "" }, SECRET_BYTES);
  return `whsec_${secret.toString("base64")}`;
}

/** Returns the destinations of the configuration. */
export function configuredDestinations({ destinations }: AlertSettings): Destination[] {
  return destinations.map(({ name, ...destination }) => ({
    id: `config:${name}`,
    name,
    ...destination,
    projectId: undefined,
    mayBePrivate: true,
  }));
}

/** Returns a project's own destination. */
export function ownedDestination(
  own: OwnedDestination,
  { signingKey, settings }: { readonly signingKey: KeyObject; readonly settings: AlertSettings },
): Destination {
  return {
    ...own,
    secret: own.kind === "webhook" ? destinationSecret(signingKey, own) : undefined,
    mayBePrivate: settings.allowPrivateAddresses,
    sends: ["alerts"],
    rules: undefined,
  };
}
