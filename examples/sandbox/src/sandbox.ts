/** How the requests to an endpoint fail: with a status, late, or without an answer. */
export interface Fault {
  /** As `GET /sandbox/faults` lists it. */
  readonly endpoint: string;
  readonly status?: number;
  readonly delayMs?: number;
  readonly cut?: true;
  readonly applyThenCut?: 'before-status' | 'mid-body';
  /** Default: until the faults are removed. */
  readonly times?: number;
}

export interface Call {
  /** Null when the path is none of the APIs. */
  readonly endpoint: string | null;
  readonly path: string;
  /** Null when a fault cut the connection before the request was carried out. */
  readonly status: number | null;
  readonly fault: boolean;
}

/** Controls the sandbox at this address. */
export function sandboxAt(url: string) {
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(await response.text());
    return response.status === 204 ? null : response.json();
  };
  return {
    /** Back to the seed, without faults and calls. */
    reset: () => request('POST', '/sandbox/reset'),
    fail: (fault: Fault) => request('POST', '/sandbox/faults', fault),
    calls: async (): Promise<readonly Call[]> => {
      const { calls } = (await request('GET', '/sandbox/calls')) as { calls: Call[] };
      return calls;
    },
  };
}
