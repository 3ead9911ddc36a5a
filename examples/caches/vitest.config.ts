import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { typecheck: { enabled: true }, testTimeout: 15_000, hookTimeout: 60_000 } });
