// Reads a request of OTLP in protobuf: opentelemetry/proto/collector/trace/v1/trace_service.proto.

type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value += BigInt(byte % 128) * 2n ** shift;
      if (byte < 128) return value;
    }
  };
  const bytes = (length: number) => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(varint());
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    const read = {
      0: varint,
      1: () => bytes(8).readBigUInt64LE(),
      2: () => bytes(Number(varint())),
      5: () => BigInt(bytes(4).readUInt32LE()),
    }[type];
    if (!read) throw new Error(`Field ${number} has the type ${type}.`);
    fields.set(number, [...(fields.get(number) ?? []), read()]);
  }
  return fields;
}

const messages = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).filter((value) => Buffer.isBuffer(value));
const bytesOf = (fields: Fields, number: number) => messages(fields, number)[0] ?? Buffer.alloc(0);
const textOf = (fields: Fields, number: number) => bytesOf(fields, number).toString();
const numberOf = (fields: Fields, number: number) => Number(fields.get(number)?.[0] ?? 0);

export type AttributeValue = string | number;

function attributesOf(fields: Fields, number: number): ReadonlyMap<string, AttributeValue> {
  return new Map(
    messages(fields, number).map((message) => {
      const entry = fieldsOf(message);
      const value = fieldsOf(bytesOf(entry, 2));
      const double = value.get(4)?.[0];
      if (typeof double === 'bigint')
        return [textOf(entry, 1), new Float64Array(new BigUint64Array([double]).buffer)[0] ?? 0];
      return [textOf(entry, 1), value.has(1) ? textOf(value, 1) : numberOf(value, 3)];
    }),
  );
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT'];

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: string | undefined;
  readonly startTimeUnixNano: number;
  readonly endTimeUnixNano: number;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  readonly status: { readonly code: number; readonly message?: string };
}

function spanOf(message: Buffer): ReceivedSpan {
  const fields = fieldsOf(message);
  const status = fieldsOf(bytesOf(fields, 15));
  return {
    traceId: bytesOf(fields, 1).toString('hex'),
    spanId: bytesOf(fields, 2).toString('hex'),
    parentSpanId: bytesOf(fields, 4).toString('hex'),
    traceState: textOf(fields, 3),
    name: textOf(fields, 5),
    kind: KINDS[numberOf(fields, 6)],
    startTimeUnixNano: numberOf(fields, 7),
    endTimeUnixNano: numberOf(fields, 8),
    attributes: attributesOf(fields, 9),
    status: { code: numberOf(status, 3), ...(status.has(2) && { message: textOf(status, 2) }) },
  };
}

/** The processes of a request, each with its attributes and its spans. */
export function readBatch(body: Buffer): { resource: ReadonlyMap<string, AttributeValue>; spans: ReceivedSpan[] }[] {
  return messages(fieldsOf(body), 1).map((message) => {
    const fields = fieldsOf(message);
    const scopes = messages(fields, 2).flatMap((scope) => messages(fieldsOf(scope), 2));
    return { resource: attributesOf(fieldsOf(bytesOf(fields, 1)), 1), spans: scopes.map(spanOf) };
  });
}
