import { IncomingMessage } from 'node:http';

const BLOCK_BYTES = 4_096;

/**
 * A request that copies the short chunks of its body into blocks. Otherwise each HTTP chunk is a Buffer of its own, of
 * 800 bytes beside its content, so that a body in chunks of one byte takes hundreds of times the memory that limits
 * count. An incomplete block is delivered at the end of the body. No reader does anything with a part of a body.
 */
export class CoalescingRequest extends IncomingMessage {
  #block: Buffer | null = null;
  #blockBytes = 0;

  /** Node's parser pushes each chunk, then null. Returns false if the stream has buffered enough. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      if (this.#block) super.push(this.#block.subarray(0, this.#blockBytes));
      this.#block = null;
      return super.push(null);
    }
    if (!this.#block) return this.#begin(chunk);
    const copiedBytes = this.#copy(chunk, this.#block);
    if (this.#blockBytes < BLOCK_BYTES) return true;
    const isMoreWanted = super.push(this.#block);
    this.#block = null;
    if (copiedBytes === chunk.length) return isMoreWanted;
    return this.#begin(chunk.subarray(copiedBytes)) && isMoreWanted;
  }

  /** Most bodies are one short chunk, which is not copied. */
  #begin(chunk: Buffer): boolean {
    if (chunk.length >= BLOCK_BYTES) return super.push(chunk);
    this.#block = chunk;
    this.#blockBytes = chunk.length;
    return true;
  }

  #copy(chunk: Buffer, begun: Buffer): number {
    const isOneChunk = begun.length < BLOCK_BYTES;
    const block = isOneChunk ? Buffer.allocUnsafeSlow(BLOCK_BYTES) : begun;
    if (isOneChunk) begun.copy(block);
    const copiedBytes = chunk.copy(block, this.#blockBytes);
    this.#block = block;
    this.#blockBytes += copiedBytes;
    return copiedBytes;
  }
}
