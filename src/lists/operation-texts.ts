import type { Rows } from '../http/rows.ts';
import { BEYOND_ASCII, foldCase, foldLetters, onlyDigits, type RowTexts } from './folding.ts';

/** The forms of shorter texts are made in the time that finding them takes, unless they have accents. */
const SHORT = 64;

/** The memory for forms that one operation keeps, in bytes. */
const MAX_BYTES = 16 * 1024 ** 2;

/** The memory for one form, beside its characters, in bytes. */
const FORM_BYTES = 80;

/**
 * The forms of all texts that the conditions of one operation have looked at: each is made once, however many conditions,
 * alternatives and fields ask for it. A single condition that is the first to look at a list keeps none: most lists are
 * filtered once, and keeping a form takes half as long as making it. Beyond 16 MiB a form is forgotten after its row.
 */
export class OperationTexts {
  readonly #lists = new Map<Rows<object>, ListForms>();
  readonly #budget: Budget;

  constructor(maxBytes = MAX_BYTES) {
    this.#budget = { bytes: maxBytes };
  }

  /**
   * The texts of the rows of a list, for one pass over it.
   *
   * @param conditions how many look at them
   */
  passOver(list: Rows<object>, conditions: number): TextsInPass {
    const known = this.#lists.get(list);
    const forms = known ?? { folded: new Map(), digits: new Map(), parts: new Map() };
    this.#lists.set(list, forms);
    return new TextsInPass(forms, this.#budget, known !== undefined || conditions > 1);
  }
}

/** Forms by key and row. */
type Columns<Form> = Map<PropertyKey, Map<number, Form>>;

interface ListForms {
  readonly folded: Columns<string>;
  readonly digits: Columns<string>;
  readonly parts: Map<object, Columns<ReadonlySet<string>>>;
}

interface Budget {
  bytes: number;
}

/** The texts of one row after the other. */
export class TextsInPass implements RowTexts {
  /** How many characters were folded or divided. */
  work = 0;
  readonly #forms: ListForms;
  readonly #budget: Budget;
  readonly #keeps: boolean;
  #row = 0;
  /** Columns with a form of this row that is forgotten after it. */
  readonly #borrowed: Map<number, unknown>[] = [];

  constructor(forms: ListForms, budget: Budget, keeps: boolean) {
    this.#forms = forms;
    this.#budget = budget;
    this.#keeps = keeps;
  }

  /** Goes on to another row of the list. */
  moveTo(row: number): void {
    if (this.#borrowed.length > 0) this.end();
    this.#row = row;
  }

  /** Forgets what is beyond the bound. */
  end(): void {
    for (const column of this.#borrowed) column.delete(this.#row);
    this.#borrowed.length = 0;
  }

  folded(key: PropertyKey, text: string): string {
    if (!this.#keeps) this.work += text.length;
    if (!this.#keeps) return foldLetters(text);
    if (text.length <= SHORT && !BEYOND_ASCII.test(text)) return foldCase(text);
    const column = columnOf(this.#forms.folded, key);
    return column.get(this.#row) ?? this.#keep(column, foldLetters(text), text.length);
  }

  digits(key: PropertyKey, text: string): string {
    if (text.length <= SHORT) return onlyDigits(text);
    const column = columnOf(this.#forms.digits, key);
    return column.get(this.#row) ?? this.#keep(column, onlyDigits(text), text.length);
  }

  parts(key: PropertyKey, view: object, divide: () => Iterable<string>): ReadonlySet<string> {
    const columns = this.#forms.parts.get(view) ?? new Map<PropertyKey, Map<number, ReadonlySet<string>>>();
    this.#forms.parts.set(view, columns);
    const column = columnOf(columns, key);
    const known = column.get(this.#row);
    if (known) return known;
    const parts = new Set(divide());
    let size = 0;
    for (const part of parts) size += part.length + FORM_BYTES;
    return this.#keep(column, parts, size);
  }

  #keep<Form>(column: Map<number, Form>, form: Form, characters: number): Form {
    this.work += characters;
    column.set(this.#row, form);
    const bytes = 2 * characters + FORM_BYTES;
    if (bytes > this.#budget.bytes) this.#borrowed.push(column);
    else this.#budget.bytes -= bytes;
    return form;
  }
}

function columnOf<Form>(columns: Columns<Form>, key: PropertyKey): Map<number, Form> {
  const known = columns.get(key);
  if (known) return known;
  const column = new Map<number, Form>();
  columns.set(key, column);
  return column;
}
