/** Lends a secret that stands for a key of a project, for as long as one call takes. */
export type LendKey = (principal: { readonly keyId: string; readonly projectId: string }) => {
  readonly secret: string;
  giveBack(): void;
};
