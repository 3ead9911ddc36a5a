/** One instruction of a Dockerfile: its keyword, its options and the rest of it. */
export interface Instruction {
  /** In capitals. */
  readonly keyword: string;
  /** The options before the rest: `--from=build` is `from` → `build`. */
  readonly options: ReadonlyMap<string, string>;
  readonly rest: string;
}

/** A stage: what it is made from, its name, and its instructions after FROM. */
export interface Stage {
  readonly image: string;
  /** The last stage has none. */
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

const KNOWN = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];

/**
 * Reads the part of the language that our Dockerfile is written in.
 *
 * @throws Error for an instruction that is not of it
 */
export function parseDockerfile(text: string): Stage[] {
  const stages: { image: string; name: string | undefined; instructions: Instruction[] }[] = [];
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  for (const line of lines.filter((line) => line.trim() !== '' && !line.startsWith('#'))) {
    const instruction = parseInstruction(line.trim());
    const [image = '', , name] = instruction.rest.split(/\s+/);
    if (instruction.keyword === 'FROM') stages.push({ image, name, instructions: [] });
    else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

function parseInstruction(line: string): Instruction {
  const [keyword = '', ...words] = line.split(/\s+/);
  if (!KNOWN.includes(keyword))
    throw new Error(`No ${keyword} is known here: add it to scripts/ship, where it is done.`);
  const isOption = (word: string) => word.startsWith('--');
  const first = words.findIndex((word) => !isOption(word));
  const options = words.slice(0, first).map((word): [string, string] => {
    const [name = '', value = ''] = word.slice(2).split('=');
    return [name, value];
  });
  return { keyword, options: new Map(options), rest: words.slice(first).join(' ') };
}

/** The words of an instruction in the exec form, `["node", "dist/main.js"]`. @throws Error for the form of a shell */
export function execForm(rest: string): string[] {
  const words: unknown = JSON.parse(rest);
  if (!Array.isArray(words)) throw new Error(`${rest} is no list of words.`);
  return words.map(String);
}

/** The variables of an ENV: `A=1 B=2`. */
export function variables(rest: string): [string, string][] {
  return rest.split(/\s+/).map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return [name, value];
  });
}

/** The instructions of a stage with this keyword. */
export function instructionsOf({ instructions }: Stage, keyword: string): Instruction[] {
  return instructions.filter((instruction) => instruction.keyword === keyword);
}
