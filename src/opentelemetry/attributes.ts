/** The names of all attributes of spans. The conventions of OpenTelemetry give those that do not begin with `trivium`. */
export const ATTRIBUTES = {
  operationType: 'graphql.operation.type',
  /** A text of the caller. */
  operationName: 'graphql.operation.name',
  errors: 'trivium.errors',
  upstreamCalls: 'trivium.upstream_calls',
  parentType: 'trivium.field.parent_type',
  fieldName: 'trivium.field.name',
  api: 'trivium.api',
  queueMs: 'trivium.queue_ms',
  method: 'http.request.method',
  resendCount: 'http.request.resend_count',
  status: 'http.response.status_code',
  bodySize: 'http.response.body.size',
  template: 'url.template',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  errorType: 'error.type',
} as const;
