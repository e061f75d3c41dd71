declare global {
  /** The name under which the library that locks scrolling behind dialogs looks for the nonce of its style element. */
  var __webpack_nonce__: string | undefined;
}

/** Nonce of this page: style elements that scripts make are refused without it. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";

globalThis.__webpack_nonce__ = styleNonce;
