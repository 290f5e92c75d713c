// What is asked of each name that somebody refers to.

/** To the byte what is sent: a gateway that executes known documents alone knows it. */
export const CHECK_NAMES = `query CheckNames($names: [String!]!) {
  dois(inputs: $names, form: NAME) {
    name
    url
    exists
    alias { handle }
    redirect { url }
    suggestions { name url }
    warnings { code message repaired { name url } }
  }
}`;

export interface CheckNamesData {
  readonly dois: readonly (NameAnswer | null)[];
}

export interface LinkedName {
  readonly name: string;
  readonly url: string;
}

/** Null is what could not be answered: its error stands at its path. */
export interface NameAnswer extends LinkedName {
  readonly exists: boolean | null;
  readonly alias: { readonly handle: string } | null;
  readonly redirect: { readonly url: string | null } | null;
  readonly suggestions: readonly LinkedName[] | null;
  readonly warnings: readonly {
    readonly code: string;
    readonly message: string;
    readonly repaired: LinkedName | null;
  }[];
}
