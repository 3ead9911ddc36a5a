// A sandbox in a process of its own: `node --import tsx sandbox-process.ts FILE`. It says where it listens.
import { startSandbox } from '../../src/sandbox/server.ts';

const { urls } = await startSandbox({ port: 0, data: process.argv[2] ?? ':memory:' });
console.log(urls.account);
