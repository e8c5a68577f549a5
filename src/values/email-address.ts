/**
 * The two sides of an e-mail address. Letters of all scripts are allowed; spaces and the marks that separate addresses
 * are not. Rules that addresses in use break, such as no two dots before the @, are not checked.
 */
const LOCAL_PART = /^(?:"[^"\\\n]+"|[^\s@<>()[\],;:"\\]+)$/;
const DOMAIN = /^(?:\[[\da-fIPv.:]+\]|[^\s@<>()[\],;:"\\.]+(?:\.[^\s@<>()[\],;:"\\.]+)*)$/i;

export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  return LOCAL_PART.test(text.slice(0, Math.max(at, 0))) && DOMAIN.test(text.slice(at + 1));
}
