// Asks for the trace of each operation that GraphiQL sends. Takes it out of the answer, which GraphiQL shows, and hands it
// to the page as the event `trivium:trace`: the trace, or null for an answer without one.

/** How the gateway ends a part of an answer in parts. */
const BOUNDARY = '\r\n---';

const send = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  if (!isOperation(init)) return send(input, init);
  const headers = new Headers(init?.headers);
  headers.set('X-Trivium-Trace', '1');
  announce(undefined);
  const response = await send(input, { ...init, headers });
  return withoutTrace(response);
};

/** @param {unknown} trace undefined while the answer is under way */
function announce(trace) {
  window.dispatchEvent(new CustomEvent('trivium:trace', { detail: trace }));
}

/**
 * Whether a request is an operation of the user. GraphiQL itself asks for the schema.
 *
 * @param {RequestInit | undefined} init
 */
function isOperation(init) {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return false;
  return JSON.parse(init.body).operationName !== 'IntrospectionQuery';
}

/**
 * Copies a response as it arrives, without its trace.
 *
 * @param {Response} response
 */
function withoutTrace(response) {
  const type = response.headers.get('content-type') ?? '';
  if (!response.body || type.startsWith('text/event-stream')) return response;
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TransformStream(traceTaker(type.startsWith('multipart/'))))
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

/**
 * @param {boolean} inParts
 * @returns {Transformer<string, string>}
 */
function traceTaker(inParts) {
  let waiting = '';
  let hasTrace = false;
  /** @param {string} part */
  const take = (part) => {
    const { text, trace } = partWithoutTrace(part);
    if (trace) announce(trace);
    hasTrace ||= Boolean(trace);
    return text;
  };
  return {
    transform(chunk, controller) {
      waiting += chunk;
      if (!inParts) return;
      const parts = waiting.split(BOUNDARY);
      waiting = parts.pop() ?? '';
      for (const part of parts) controller.enqueue(take(part) + BOUNDARY);
    },
    flush(controller) {
      controller.enqueue(take(waiting));
      if (!hasTrace) announce(null);
    },
  };
}

/**
 * @param {string} part a result of GraphQL, and the headers before it in an answer in parts
 * @returns {{ text: string, trace?: unknown }}
 */
function partWithoutTrace(part) {
  const start = part.indexOf('{');
  if (start === -1 || !part.includes('"trace":', start)) return { text: part };
  const result = JSON.parse(part.slice(start));
  const { trace, ...extensions } = result.extensions ?? {};
  if (!trace) return { text: part };
  const hasOthers = Object.keys(extensions).length > 0;
  const text = JSON.stringify({ ...result, extensions: hasOthers ? extensions : undefined });
  const headers = part.slice(0, start).replace(/Content-Length: \d+\r\n/i, '');
  return { text: headers + text, trace };
}
