/** The service has fewer texts. The limit bounds the memory if callers could choose the members of rows. */
const MAX_TEXTS = 1_000;

/** What is compiled once per pool: the texts of statements by their names, and selections as SQL. */
export class StatementCache {
  readonly #texts = new Map<string, TemplateStringsArray>();
  readonly #selections = new WeakMap<object, Map<object, unknown>>();

  /** A text, divided at its parameters as `sql` takes it. */
  text(name: string, make: () => TemplateStringsArray): TemplateStringsArray {
    const known = this.#texts.get(name);
    if (known) return known;
    const made = make();
    if (this.#texts.size >= MAX_TEXTS) this.#texts.clear();
    this.#texts.set(name, made);
    return made;
  }

  /** A selection as SQL of a projection. It is kept as long as the selection. */
  selection<Compiled>(selection: object, projection: object, compile: () => Compiled): Compiled {
    const known = this.#selections.get(selection) ?? new Map<object, unknown>();
    const found = known.get(projection) ?? compile();
    this.#selections.set(selection, known.set(projection, found));
    return found as Compiled;
  }
}
