import type { Page } from 'playwright-core';

/**
 * Holds the later parts of multipart answers back: of what the page fetches from now on.
 *
 * @returns lets them through
 */
export async function holdDeferredParts(page: Page): Promise<() => Promise<void>> {
  const gate = await page.evaluateHandle(() => {
    const gate = { open: () => {} };
    const opened = new Promise<void>((resolve) => void (gate.open = resolve));
    const fetchNow = globalThis.fetch;
    globalThis.fetch = async (...request) => {
      const response = await fetchNow(...request);
      if (!response.headers.get('content-type')?.startsWith('multipart/mixed')) return response;
      const text = await response.text();
      const end = text.indexOf('\r\n---', text.indexOf('"hasNext":true')) + '\r\n---'.length;
      const encode = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(encode.encode(text.slice(0, end)));
          await opened;
          controller.enqueue(encode.encode(text.slice(end)));
          controller.close();
        },
      });
      return new Response(body, response);
    };
    return gate;
  });
  return () => gate.evaluate((gate) => gate.open());
}
