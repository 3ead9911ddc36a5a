import { isModule, type Module } from './accounts.ts';

/** One setting of a tile: what its `config` may hold under a name. */
export type Setting =
  | {
      readonly kind: 'choice';
      readonly options: readonly string[];
      /** Null where the document states none. */
      readonly default: string | null;
      /** Whether an option that bears a module's name needs that module. */
      readonly needsModule: boolean;
    }
  | { readonly kind: 'list'; readonly options: readonly string[] }
  | { readonly kind: 'text'; readonly accepts: (textSetting: string) => boolean };

/** A setting with one value of several. */
export function choiceSetting(options: readonly string[], standard: string | null = null): Setting {
  return { kind: 'choice', options, default: standard, needsModule: false };
}

/** A setting with one place of the application. The place of a module is an option only while that module is enabled. */
export function modulePlaceSetting(options: readonly string[], standard: string): Setting {
  return { kind: 'choice', options, default: standard, needsModule: true };
}

/** A setting with a list of hidden parts. An empty or absent list hides nothing. */
export function hiddenListSetting(...options: string[]): Setting {
  return { kind: 'list', options };
}

/** A setting with free text that a predicate accepts. */
export function text(accepts: (text: string) => boolean): Setting {
  return { kind: 'text', accepts };
}

/** Normalizes a value for storage: undefined when it is not allowed, or equal to the default. */
export function normalizeValue(
  setting: Setting,
  value: unknown,
  modules: ReadonlySet<Module>,
): string | readonly string[] | undefined {
  switch (setting.kind) {
    case 'choice': {
      const allowed = availableOptions(setting, modules).find((option) => option === value);
      return allowed === setting.default ? undefined : allowed;
    }
    case 'list': {
      if (!Array.isArray(value)) return undefined;
      const members = [...new Set<unknown>(value)].filter((member) => isOneOf(setting.options, member));
      return members.length > 0 ? members : undefined;
    }
    case 'text':
      return typeof value === 'string' && setting.accepts(value) ? value : undefined;
  }
}

/** A setting as the widget endpoint describes it. */
export function describeSetting(setting: Setting, modules: ReadonlySet<Module>) {
  return {
    options: setting.kind === 'text' ? null : availableOptions(setting, modules),
    default: setting.kind === 'choice' ? setting.default : null,
    multiple: setting.kind === 'list',
    text: setting.kind === 'text',
  };
}

/** Not documented (A54): that a value whose module is not enabled is disallowed, and so neither offered nor saved. */
function availableOptions(setting: Exclude<Setting, { kind: 'text' }>, modules: ReadonlySet<Module>) {
  if (setting.kind === 'list' || !setting.needsModule) return setting.options;
  return setting.options.filter((option) => !isModule(option) || modules.has(option));
}

function isOneOf(options: readonly string[], value: unknown): value is string {
  return typeof value === 'string' && options.includes(value);
}
