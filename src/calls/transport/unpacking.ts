import { constants, createGunzip, createInflate, gunzipSync, inflateSync } from 'node:zlib';
import { asError } from '../../errors.ts';
import { byteLength } from '../../formats/utf8.ts';
import type { Coding } from './messages.ts';

const streams = { gzip: createGunzip, deflate: createInflate };
const inPlace = { gzip: gunzipSync, deflate: inflateSync };

/** Bodies up to this size are unpacked in place, which takes a few milliseconds at most: they are 800 kB then. */
const SMALL_BYTES = 4 * 1024;

/** The size of the unpacked chunks. Each costs a turn of the event loop: in those of half the size, a list of megabytes takes twice as long. */
const CHUNK_BYTES = 128 * 1024;

/**
 * No answer is packed that well: a list of records of the same values is 60 times as large as its packed form. What unpacks to
 * more is made to fill the memory.
 */
const MAX_RATIO = 200;

/** So much may be unpacked whatever the ratio is, in bytes. */
const FREE_BYTES = 64 * 1024;

/**
 * How the unpacking of a body ended. `broken`: it is cut off, is not packed as its header says, or unpacks to more than 200 times
 * its size. `too large`: it is larger than its limit, which holds while it is unpacked.
 */
export type Unpacked = 'whole' | 'broken' | 'too large';

/** Unpacks the body of one response while it arrives: small ones in place at their end, others outside of the event loop. */
export class Unpacking {
  readonly #coding: Coding;
  readonly #maxBytes: number;
  readonly #onEnd: (unpacked: Unpacked) => void;
  readonly #onGrow: (bytes: number) => void;
  /** The packed chunks, until it is known whether the body is small. */
  readonly #packed: Uint8Array[] = [];
  #stream: ReturnType<(typeof streams)[Coding]> | undefined;
  #body: Uint8Array[] = [];
  #bytes = 0;
  #packedBytes = 0;
  #hasEnded = false;

  /**
   * @param maxBytes the limit of the unpacked body
   * @param onEnd called once, unless it is cancelled
   * @param onGrow called with the size of each part that was unpacked. It may cancel
   */
  constructor(
    coding: Coding,
    maxBytes: number,
    onEnd: (unpacked: Unpacked) => void,
    onGrow: (bytes: number) => void = () => {},
  ) {
    this.#coding = coding;
    this.#maxBytes = maxBytes;
    this.#onEnd = onEnd;
    this.#onGrow = onGrow;
  }

  /** The unpacked chunks so far. */
  get body(): Uint8Array[] {
    return this.#body;
  }

  /** The size of what has arrived. */
  get packedBytes(): number {
    return this.#packedBytes;
  }

  add(chunk: Uint8Array): void {
    this.#packedBytes += chunk.length;
    if (this.#stream) this.#stream.write(chunk);
    else this.#packed.push(chunk);
    if (!this.#stream && this.#packedBytes > SMALL_BYTES) this.#startStream();
  }

  /** Called when the whole body has arrived. */
  end(): void {
    if (this.#stream) this.#stream.end();
    else this.#unpackSmall();
  }

  /** Stops. What was unpacked until now stays. */
  cancel(): void {
    this.#hasEnded = true;
    this.#stream?.destroy();
  }

  #unpackSmall(): void {
    // An empty body has nothing to unpack: the answer to a HEAD, or one that a proxy has emptied.
    if (this.#packedBytes === 0) return this.#conclude('whole');
    const packed = Buffer.concat(this.#packed);
    const unpack = inPlace[this.#coding];
    const credible = this.#credibleBytes;
    const maxOutputLength = Math.min(this.#maxBytes, credible);
    try {
      this.#body = [unpack(packed, { maxOutputLength })];
      this.#onGrow(byteLength(this.#body));
    } catch (error) {
      if (Object.assign({ code: '' }, asError(error)).code === 'ERR_BUFFER_TOO_LARGE')
        return this.#conclude(credible < this.#maxBytes ? 'broken' : 'too large');
      this.#body = partOf(packed, this.#coding, maxOutputLength);
      return this.#conclude('broken');
    }
    this.#conclude('whole');
  }

  #startStream(): void {
    const stream = streams[this.#coding]({ chunkSize: CHUNK_BYTES });
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#onUnpacked(chunk));
    stream.on('error', () => this.#conclude('broken'));
    stream.on('end', () => this.#conclude('whole'));
    for (const chunk of this.#packed.splice(0)) stream.write(chunk);
  }

  #onUnpacked(chunk: Buffer): void {
    if (this.#hasEnded) return;
    this.#bytes += chunk.length;
    const isBomb = this.#bytes > this.#credibleBytes;
    if (this.#bytes > this.#maxBytes || isBomb) {
      this.#conclude(isBomb ? 'broken' : 'too large');
      this.#stream?.destroy();
    } else {
      this.#body.push(chunk);
      this.#onGrow(chunk.length);
    }
  }

  /** The largest size that the bytes received so far may decompress to: a larger one is a decompression bomb. */
  get #credibleBytes(): number {
    return FREE_BYTES + this.#packedBytes * MAX_RATIO;
  }

  #conclude(unpacked: Unpacked): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(unpacked);
  }
}

/** Unpacks the beginning of a body that is cut off. A text that no read gives again may be in it. */
function partOf(packed: Uint8Array, coding: Coding, maxOutputLength: number): Uint8Array[] {
  try {
    return [inPlace[coding](packed, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })];
  } catch {
    return [];
  }
}
