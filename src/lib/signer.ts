import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

/** A text to sign. The purpose and the label hold no NUL, so that no two texts are signed as the same bytes. */
export interface SignedText {
  /** Keeps signatures of one kind of text from being taken for those of another. */
  readonly purpose: string;
  readonly label: string;
  readonly payload: string;
}

/** Signs texts with a secret key (HMAC-SHA256) for one scope: a signature of another scope does not verify. */
export class Signer {
  readonly #key: KeyObject;
  readonly #scope: string;

  constructor(key: KeyObject, scope: string) {
    this.#key = key;
    this.#scope = scope;
  }

  /** Returns the first `bytes` of the signature. */
  sign({ purpose, label, payload }: SignedText, bytes: number): Buffer {
    const text = `${purpose}\0${this.#scope}\0${label}\0${payload}`;
    return createHmac("sha256", this.#key).update(text).digest().subarray(0, bytes);
  }

  /** Tells whether a signature of so many bytes is right, in a time that does not depend on where it is wrong. */
  verifies(signature: Buffer, text: SignedText, bytes: number): boolean {
    return signature.length === bytes && timingSafeEqual(signature, this.sign(text, bytes));
  }
}
