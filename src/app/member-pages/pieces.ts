import { constants, crc32, deflateRawSync } from 'node:zlib'
import { shiftOf } from './crc32-combine.ts'

/** A text in the form that pages are joined of (template.ts). */
export interface Piece {
  /** As blocks of DEFLATE that end on a byte. */
  deflated: Buffer
  /** Bytes of the text itself. */
  length: number
  crc: number
  /** `shiftOf` its length (crc32-combine.ts). */
  shift: number
}

/** @param deflated `plain` as blocks of DEFLATE */
export const toPiece = (plain: Buffer, deflated: Buffer): Piece => ({
  deflated,
  length: plain.length,
  crc: crc32(plain),
  shift: shiftOf(plain.length),
})

/**
 * The same pieces in one buffer of just their size. zlib gives out parts of buffers of 16 kB, and Node's pool parts of 8 kB: each piece would
 * keep all of one in memory.
 */
export function packPieces<Kind extends Piece>(pieces: readonly Kind[]): Kind[] {
  const packed = Buffer.allocUnsafeSlow(pieces.reduce((sum, { deflated }) => sum + deflated.length, 0))
  let end = 0
  return pieces.map((piece) => {
    const start = end
    end += piece.deflated.copy(packed, start)
    return { ...piece, deflated: packed.subarray(start, end) }
  })
}

/** DEFLATE refers to at most so many bytes before. */
const WINDOW_BYTES = 32 * 1024
/** A shorter text is hardly smaller compressed, if it has nothing to refer to: a frame has a dozen of them between its slots. */
const COMPRESSED_MIN_BYTES = 64
/**
 * Between two hearts stand some 2 kB. Each such text is a run of zlib of its own, which took three quarters of the time with the whole window
 * and table: with these, pieces of a list take half the time for two hundredths more bytes.
 */
const SHORT_BYTES = 8 * 1024
const SHORT_WINDOW_BITS = 13
const SHORT_MEMORY_LEVEL = 6

/** To how many bytes before it a text of so many bytes may refer. */
export const windowOf = (bytes: number): number => (bytes < SHORT_BYTES ? 2 ** SHORT_WINDOW_BITS : WINDOW_BYTES)

/** A text as blocks of DEFLATE that end on a byte. @param before what stands before it, as far as it may refer to it */
export function deflate(plain: Buffer, before: Buffer, level: number): Buffer {
  if (before.length === 0 && plain.length < COMPRESSED_MIN_BYTES) return storedBlock(plain)
  const isShort = plain.length < SHORT_BYTES
  const dictionary = before.subarray(-windowOf(plain.length))
  return deflateRawSync(plain, {
    level,
    finishFlush: constants.Z_SYNC_FLUSH,
    ...(isShort && {
      windowBits: SHORT_WINDOW_BITS,
      memLevel: SHORT_MEMORY_LEVEL,
      chunkSize: Math.max(64, plain.length),
    }),
    ...(dictionary.length > 0 && { dictionary }),
  })
}

/** A block of text as it is (RFC 1951 §3.2.4). @param plain at most 65,535 bytes */
export function storedBlock(plain: Buffer): Buffer {
  const block = Buffer.allocUnsafe(5 + plain.length)
  block[0] = 0
  block.writeUInt16LE(plain.length, 1)
  block.writeUInt16LE(plain.length ^ 0xffff, 3)
  plain.copy(block, 5)
  return block
}

/** A text that only one reader sees: it is too short to be compressed. */
export function toStoredPiece(text: string): Piece {
  const plain = Buffer.from(text)
  return toPiece(plain, storedBlock(plain))
}
