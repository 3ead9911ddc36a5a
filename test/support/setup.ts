import { afterAll } from 'vitest';
import { closePools } from './pool.ts';

afterAll(closePools);
