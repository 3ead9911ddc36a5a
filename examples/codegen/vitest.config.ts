import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { typecheck: { enabled: true }, testTimeout: 60_000, hookTimeout: 60_000 } });
