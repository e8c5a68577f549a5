export type Labelled = { id: string; name: string };

const ID_BEHIND_NAME = / \(([\da-f-]{36})\)$/;

/** The records of a merchant that products refer to, by id and by label. */
export class RecordLabels<Row extends Labelled = Labelled> {
  readonly #byId: ReadonlyMap<string, Row>;
  readonly #labels: ReadonlyMap<string, string>;
  readonly #byLabel: ReadonlyMap<string, Row>;
  readonly #repeated: ReadonlySet<string>;

  /** The label is the name, followed by the id if several records have the name. */
  constructor(rows: readonly Row[]) {
    const byName = Map.groupBy(rows, ({ name }) => name);
    this.#repeated = new Set([...byName].flatMap(([name, { length }]) => (length > 1 ? [name] : [])));
    const labelOf = ({ id, name }: Row) => (this.#repeated.has(name) ? `${name} (${id})` : name);
    this.#byId = new Map(rows.map((row) => [row.id, row]));
    this.#labels = new Map(rows.map((row) => [row.id, labelOf(row)]));
    this.#byLabel = new Map(rows.map((row) => [labelOf(row), row]));
  }

  /** The labels of all records, in the order of the query that read them. */
  labels(): string[] {
    return [...this.#byLabel.keys()];
  }

  label(id: string): string | undefined {
    return this.#labels.get(id);
  }

  get(id: string): Row | undefined {
    return this.#byId.get(id);
  }

  /** An id behind the name is enough: a file may be older than the last change of the names. */
  find(label: string): Row | undefined {
    return this.#byLabel.get(label) ?? this.#byId.get(ID_BEHIND_NAME.exec(label)?.[1] ?? '');
  }

  /** True for the name of several records, which is the label of none. */
  isRepeated(name: string): boolean {
    return this.#repeated.has(name);
  }
}

export type AttributeRow = Labelled & { type: string; tableTemplate: object | null; options: Labelled[] };

/** Products of bundles, by id and by handle. */
export type BundledProduct = { id: string; handle: string; variants: { id: string; key: string }[] };
