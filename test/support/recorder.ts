import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { stubUpstream } from './stub-upstream.ts';

export interface Recorded {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An upstream that writes down whole requests before it answers them. */
export async function recordingUpstream(answer: RequestListener) {
  const requests: Recorded[] = [];
  const { url, received } = await stubUpstream((request, response) => {
    text(request).then(
      (body) => {
        requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        answer(request, response);
      },
      () => response.destroy(),
    );
  });
  return { url, received, requests };
}
