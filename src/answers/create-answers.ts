import type { Config } from '../config.ts';
import type { SharedStore } from '../redis/shared-store.ts';
import { Answers } from './answers.ts';
import { RedisGenerations } from './redis-generations.ts';

/** @param store what several gateways share; undefined when this process alone writes through the gateway */
export function createAnswers(config: Config, store: SharedStore | undefined): Answers {
  return new Answers(config, { shared: store && new RedisGenerations(store) });
}
