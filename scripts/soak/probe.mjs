// Loaded into the gateway's process before its program: answers each message of the soak with what the process holds.
process.on('message', () => {
  globalThis.gc();
  const { heapUsed, rss, external } = process.memoryUsage();
  process.send?.({ heapUsed, rss, external, resources: process.getActiveResourcesInfo().length });
});
process.channel?.unref(); // it must not keep the gateway running
