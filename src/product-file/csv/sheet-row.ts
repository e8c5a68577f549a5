import type { MemberPlace } from '../import/file-product.ts';
import type { ProductLine, VariantLine } from '../line/product-line-input.ts';
import { CellError, parseText, refuseUnclearPoint } from './cells.ts';
import type { Column } from './columns.ts';
import type { Layout, PlacedMember } from './layout.ts';
import { columnLetters, RowMistakes } from './row-mistakes.ts';
import type { CsvRow, RowPlace } from './text/read-csv-rows.ts';

/** The place of a cell, or those of the members of an entry that has several cells. */
type Places = number | Readonly<Record<string, number | undefined>>;

/** The consecutive rows of one product. The handle of a row without one is empty. */
export class SheetProduct {
  readonly handle: string;
  readonly layout: Layout;
  readonly rows: SheetRow[] = [];
  /** The size in the file. */
  bytes = 0;
  readonly mistakes = new RowMistakes();
  /** What is read and is probably a slip. */
  readonly warnings = new RowMistakes();
  /** Where entries of the line were read. */
  readonly origins = new Map<unknown, { row: SheetRow; places: Places | undefined }>();

  constructor(handle: string, layout: Layout) {
    this.handle = handle;
    this.layout = layout;
  }
}

/**
 * Reads cells by column. A missing column is undefined and changes nothing; an empty cell is null and clears the value.
 * A cell with a mistake is read like a missing column, so that the other cells can be read too; the mistake is kept.
 */
export class SheetRow implements RowPlace {
  readonly line: number;
  readonly row: number;
  readonly cells: readonly string[];
  readonly #product: SheetProduct;
  #productMembers: Partial<ProductLine> | undefined;
  #variantMembers: Partial<VariantLine> | undefined;

  constructor({ line, row, cells }: CsvRow, product: SheetProduct) {
    this.line = line;
    this.row = row;
    this.cells = cells;
    this.#product = product;
  }

  get handle(): string {
    return this.#product.handle;
  }

  get layout(): Layout {
    return this.#product.layout;
  }

  has(...columns: Column[]): boolean {
    return columns.some((column) => this.layout.columns.has(column));
  }

  isEmpty(column: Column | number | undefined): boolean {
    return (this.cells[this.#placeOf(column) ?? -1] ?? '').trim() === '';
  }

  read<Value>(column: Column | number | undefined, parse: (cell: string) => Value): Value | null | undefined {
    const place = this.#placeOf(column);
    if (place === undefined) return undefined;
    const cell = this.cells[place] ?? '';
    if (cell.trim() === '') return null;
    try {
      if (this.layout.hasCommas && this.layout.values.has(place)) refuseUnclearPoint(cell);
      return parse(cell);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      this.#product.mistakes.add(this, place, `${this.layout.titles[place]} ${error.message}`);
      return undefined;
    }
  }

  /** The text as it was stored, with its white space. */
  text(column: Column): string | null | undefined {
    return this.read(column, parseText);
  }

  /** The members of a product that have a column each. They are parsed once. */
  get product(): Partial<ProductLine> {
    return (this.#productMembers ??= this.#members(this.layout.product));
  }

  get variant(): Partial<VariantLine> {
    return (this.#variantMembers ??= this.#members(this.layout.variant));
  }

  /** A missing column leaves out the member. */
  #members<Line>(placed: readonly PlacedMember<Line>[]): Partial<Line> {
    const members: Partial<Record<keyof Line, unknown>> = {};
    for (const { place, member, parse, empty } of placed) {
      const value = this.read(place, parse);
      // Of several columns for one member, those with an empty cell say nothing.
      if (value != null) members[member] = value;
      else if (value === null) members[member] ??= empty;
    }
    return members as Partial<Line>;
  }

  /**
   * Keeps a mistake of a cell, or of the whole row if the sheet does not have the column. Of a row without a product, each
   * cell is checked, but not what the row lacks.
   */
  refuse(column: Column | number | undefined, reason: string): void {
    if (this.#product.handle !== '') this.#product.mistakes.add(this, this.#placeOf(column), reason);
  }

  warn(column: Column | number, reason: string): void {
    this.#product.warnings.add(this, this.#placeOf(column), reason);
  }

  /** Keeps the cells of an entry of the line, in which the service may find a mistake. */
  marked<Entry extends object>(entry: Entry, places?: Places): Entry {
    this.#product.origins.set(entry, { row: this, places });
    return entry;
  }

  placeAt(place: number): MemberPlace {
    return { line: this.line, row: this.row, column: columnLetters(place), title: this.layout.titles[place]! };
  }

  #placeOf(column: Column | number | undefined): number | undefined {
    return typeof column === 'string' ? this.layout.columns.get(column) : column;
  }
}
