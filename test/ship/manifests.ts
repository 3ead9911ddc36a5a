import { readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { read } from '../docs/pages.ts';

const folder = 'deploy/kubernetes';

/** A manifest of Kubernetes, as its file has it. */
interface Manifest {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly content: unknown;
}

const header = z.looseObject({ apiVersion: z.string(), kind: z.string() });

/** All manifests of deploy/kubernetes. */
export const manifests: readonly Manifest[] = readdirSync(folder)
  .sort()
  .map((file) => {
    const content: unknown = parse(read(`${folder}/${file}`));
    return { file, content, ...header.parse(content) };
  });

/** The one manifest of a kind, by the part of its shape that a test reads. */
export function manifest<T>(kind: string, shape: z.ZodType<T>): T {
  return shape.parse(manifests.find((each) => each.kind === kind)?.content);
}
