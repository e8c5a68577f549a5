type Directives = Readonly<Record<string, string[]>>;

/** Loads nothing but images in the page itself, connects to this server only, and is shown in no frame. */
const COMMON: Directives = {
  defaultSrc: ["'none'"],
  imgSrc: ['data:'],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Scripts and styles are files of this server. Inline ones are refused. */
export const OWN_FILES: Directives = { scriptSrc: ["'self'"], styleSrc: ["'self'"] };

/** The content security policy of a page, as @fastify/helmet takes it: the common directives and those of the page. */
export function contentSecurityPolicy(own: Directives): { useDefaults: false; directives: Record<string, string[]> } {
  return { useDefaults: false, directives: { ...COMMON, ...own } };
}
