/** Texts by which an app may name a person as the actor of a request. */
export type Contacts = { readonly parts: ReadonlySet<string>; readonly wholes: ReadonlySet<string> };

/** A shorter text is part of too many others. */
const MIN_LENGTH = 4;

/** What stands in the place of an erased text. */
export const ERASED = 'erased';

/** `parts`: e-mail addresses and phone numbers; `wholes`: full names, which are also part of other people's. */
export function contactsOf(parts: readonly (string | null)[], wholes: readonly string[]): Contacts {
  const texts = parts.filter((text) => text !== null).map(folded);
  return {
    parts: new Set(texts.filter((text) => text.length >= MIN_LENGTH)),
    wholes: new Set([...texts, ...wholes.map(folded)]),
  };
}

/** Whether the actor of a request is one of these persons. */
export function isNamed({ parts, wholes }: Contacts, actor: string | null | undefined): boolean {
  if (!actor) return false;
  const text = folded(actor);
  return wholes.has(text) || [...parts].some((part) => text.includes(part));
}

/** Contacts that match only an actor that is equal to one of them: a text that contains one may name another person. */
export function withoutParts({ wholes }: Contacts): Contacts {
  return { parts: new Set(), wholes };
}

/** Its case is removed as by `withoutCase` in the database. */
function folded(text: string): string {
  return text.normalize().toLowerCase().replaceAll('ς', 'σ').trim();
}
