/** Names for values that differ from run to run: `uuid-1` for the first uuid, `secret` for any raw token, and
 * `masked` for what is shown of it. */
export class Names {
  readonly #uuids: string[] = [];

  /** Names the uuids that are new, in this order. */
  add(uuids: readonly string[]): void {
    this.#uuids.push(...uuids.filter((uuid) => !this.#uuids.includes(uuid)));
  }

  /** Replaces each value in a JSON value by its name. */
  shown<T>(value: T): T {
    return mapTexts(value, (text) =>
      text
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uuid) => this.#nameOf(uuid))
        .replaceAll(/[0-9a-f]{40}/g, 'secret')
        .replaceAll(/[0-9a-f]{4}…[0-9a-f]{4}/g, 'masked'),
    );
  }

  /** Replaces each name in a JSON value by its uuid. */
  real<T>(value: T): T {
    return mapTexts(value, (text) =>
      text.replaceAll(/uuid-(\d+)/g, (name, number) => this.#uuids[Number(number) - 1] ?? name),
    );
  }

  #nameOf(uuid: string): string {
    const index = this.#uuids.indexOf(uuid);
    return index === -1 ? uuid : `uuid-${index + 1}`;
  }
}

/** Changes each text in a JSON value. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (value === undefined) return value;
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === 'string' ? change(member) : member,
  );
}

/** A JSON value with another value at a path. */
export function withChange(value: unknown, [key, ...path]: readonly string[], changed: unknown): unknown {
  if (key === undefined) return changed;
  if (typeof value !== 'object' || value === null) throw new Error(`There is no ${key}.`);
  const inner = withChange(Reflect.get(value, key), path, changed);
  return Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [key]: inner });
}
