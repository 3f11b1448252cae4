import { constants, crc32, deflateRawSync, gunzipSync } from 'node:zlib'
import { type MemberSlot, MEMBER_SLOTS, SLOT_PATTERN } from '#lib/member-slots.ts'
import { combineCrc32, shiftOf } from './crc32-combine.ts'
import { escapeHtml } from '#lib/text/html.ts'

/**
 * A page that is rendered once for all members, in pieces: the text that all see, compressed once, and between it what depends on the
 * reader. A page is composed for a member by joining the pieces, which takes a hundredth of a render.
 *
 * Pieces can be joined compressed because of how DEFLATE works (RFC 1951): blocks may end on a byte (a sync flush), and a block refers to
 * earlier text only by its distance. So a piece may refer to what stands before it as long as the text in between always has the same
 * length. Hearts and follow buttons do: both states take the same bytes (features/likes/LikeButton.tsx). Behind a slot, whose text has any length, a piece
 * begins without earlier text. No piece refers to such a state, since what it is compressed after has bytes there that no text has.
 */

/** A text in the form that pages are joined of. */
export interface Piece {
  /** As blocks of DEFLATE that end on a byte. */
  deflated: Buffer
  /** Bytes of the text itself. */
  length: number
  crc: number
  /** `shiftOf` its length (crc32-combine.ts). */
  shift: number
}

const toPiece = (plain: Buffer, deflated: Buffer): Piece => ({
  deflated,
  length: plain.length,
  crc: crc32(plain),
  shift: shiftOf(plain.length),
})

/**
 * The same pieces in one buffer of just their size. zlib gives out parts of buffers of 16 kB, and Node's pool parts of 8 kB: each piece would
 * keep all of one in memory.
 */
function packPieces(pieces: readonly Piece[]): Piece[] {
  const packed = Buffer.allocUnsafeSlow(pieces.reduce((sum, { deflated }) => sum + deflated.length, 0))
  let end = 0
  return pieces.map((piece) => {
    const start = end
    end += piece.deflated.copy(packed, start)
    return { ...piece, deflated: packed.subarray(start, end) }
  })
}

/** A text of ASCII in memory of its own: V8 keeps a part of a longer text together with all of that. */
const ownString = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

type Part = Piece | { slot: MemberSlot } | { dogId: string } | { follow: string }

/** A like button's state as it is rendered (features/likes/LikeButton.tsx). */
const HEART = /data-like="(?<dogId>[0-9a-f-]{36})" data-likes="\d+" (?<state>aria-pressed="false" data-on="")/
/** The same of a follow button (features/follows/FollowButton.astro). */
const FOLLOW_BUTTON = /data-follow="(?<follow>[a-z]+:[a-z0-9-]+)" (?<state>value="1")/
const BUTTONS = new RegExp(`${HEART.source}|${FOLLOW_BUTTON.source.replace('?<state>', '?<followState>')}`, 'g')
/** Stands in for a button's state while what comes after it is compressed: UTF-8 has no such byte. */
const placeholderOf = (state: string): Buffer => Buffer.alloc(state.length, 0xff)

/** DEFLATE refers to at most so many bytes before. */
const WINDOW_BYTES = 32 * 1024
/**
 * Between two hearts stand some 2 kB. Each such piece is a run of zlib of its own, which took three quarters of the time with the whole window
 * and table: with these, pieces of a list take half the time for two hundredths more bytes.
 */
const SHORT_BYTES = 8 * 1024
const SHORT_WINDOW_BITS = 13
const SHORT_MEMORY_LEVEL = 6
/** As for cached pages (page-cache/encoding.ts). */
const SHARED_LEVEL = 6
/** A member of a gzip file without name and time (RFC 1952 §2.3). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty last block. */
const LAST_BLOCK = Buffer.from([3, 0])

function deflate(plain: Buffer, before: Buffer, level: number): Buffer {
  const isShort = plain.length < SHORT_BYTES
  const dictionary = isShort ? before.subarray(-(2 ** SHORT_WINDOW_BITS)) : before
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
function storedBlock(plain: Buffer): Buffer {
  const block = Buffer.allocUnsafe(5 + plain.length)
  block[0] = 0
  block.writeUInt16LE(plain.length, 1)
  block.writeUInt16LE(plain.length ^ 0xffff, 3)
  plain.copy(block, 5)
  return block
}

/** A text that only one reader sees: it is too short to be compressed. */
function toStoredPiece(text: string): Piece {
  const plain = Buffer.from(text)
  return toPiece(plain, storedBlock(plain))
}

const PRESSED = toStoredPiece('aria-pressed="true" data-on="1"')
const UNPRESSED = toStoredPiece('aria-pressed="false" data-on=""')
const FOLLOWED = toStoredPiece('value="0"')
const UNFOLLOWED = toStoredPiece('value="1"')

/** A member's texts, in one buffer. */
export function toSlotPieces<Slot extends MemberSlot>(texts: Readonly<Record<Slot, string>>): Record<Slot, Piece> {
  const slots = Object.keys(texts) as Slot[]
  const pieces = packPieces(slots.map((slot) => toSlotPiece(texts[slot])))
  return Object.fromEntries(slots.map((slot, index) => [slot, pieces[index]])) as Record<Slot, Piece>
}

/** A member's text as it stands in HTML: escaped as Astro does it, which has another spelling of the apostrophe than React. */
export const toSlotPiece = (text: string): Piece => toStoredPiece(escapeHtml(text).replaceAll('&#x27;', '&#39;'))

/** What a page is composed of for one reader. */
export interface ReaderPieces {
  slots: Readonly<Record<MemberSlot, Piece>>
  isLiked: (dogId: string) => boolean
  /** @param key as of `followKey` (features/follows/follows.ts) */
  isFollowed: (key: string) => boolean
}

export interface TemplateOptions {
  /** Of the compression, 1 to 9. */
  level?: number | undefined
  /** Whether hearts and follow buttons are filled in when the page is sent; they stay as they are rendered otherwise. */
  hasHearts?: boolean | undefined
}

export class PageTemplate {
  readonly parts: readonly Part[]
  /** The dogs whose hearts the page has. */
  readonly dogIds: readonly string[]
  /** What the page has follow buttons for. */
  readonly followKeys: readonly string[]
  /** Whether the page shows anything of its reader but hearts and follow buttons. */
  readonly hasSlots: boolean
  /** Memory of the pieces. */
  readonly bytes: number

  /** @param html the page with its slots (lib/member-slots.ts) */
  constructor(html: string, { level = SHARED_LEVEL, hasHearts = true }: TemplateOptions = {}) {
    const parts: Part[] = []
    const dogIds = new Set<string>()
    const followKeys = new Set<string>()
    // What the next piece may refer to.
    let before: Buffer = Buffer.alloc(0)
    const extend = (bytes: Buffer) => (before = Buffer.concat([before, bytes]).subarray(-WINDOW_BYTES))
    const addStatic = (text: string) => {
      if (text === '') return
      const plain = Buffer.from(text)
      parts.push(toPiece(plain, deflate(plain, before, level)))
      extend(plain)
    }
    const addText = (text: string) => {
      let end = 0
      for (const { 0: whole, index, groups = {} } of hasHearts ? text.matchAll(BUTTONS) : []) {
        const state = groups.state ?? groups.followState ?? ''
        const start = index + whole.length - state.length
        addStatic(text.slice(end, start))
        if (groups.dogId !== undefined) {
          const dogId = ownString(groups.dogId)
          parts.push({ dogId })
          dogIds.add(dogId)
        } else {
          const follow = ownString(groups.follow ?? '')
          parts.push({ follow })
          followKeys.add(follow)
        }
        extend(placeholderOf(state))
        end = start + state.length
      }
      addStatic(text.slice(end))
    }
    html.split(SLOT_PATTERN).forEach((text, index) => {
      if (index % 2 === 0) return addText(text)
      const slot = MEMBER_SLOTS.find((name) => name === text)
      if (!slot) throw new Error(`there is no slot ${text}`)
      parts.push({ slot })
      before = Buffer.alloc(0)
    })
    const packed = packPieces(parts.filter((part) => 'deflated' in part))
    this.parts = parts.map((part) => ('deflated' in part ? packed.shift()! : part))
    this.dogIds = [...dogIds]
    this.followKeys = [...followKeys]
    this.hasSlots = parts.some((part) => 'slot' in part)
    this.bytes = parts.reduce((sum, part) => sum + ('deflated' in part ? part.deflated.length + 150 : 100), 0)
  }

  /** The page's pieces for one reader. */
  private piecesFor({ slots, isLiked, isFollowed }: ReaderPieces): Piece[] {
    return this.parts.map((part) => {
      if ('deflated' in part) return part
      if ('slot' in part) return slots[part.slot]
      if ('follow' in part) return isFollowed(part.follow) ? FOLLOWED : UNFOLLOWED
      return isLiked(part.dogId) ? PRESSED : UNPRESSED
    })
  }

  /** Bytes of the page for one reader. */
  lengthFor(reader: ReaderPieces): number {
    return this.piecesFor(reader).reduce((sum, { length }) => sum + length, 0)
  }

  /** The page for one reader, for programs that take no gzip: only the compressed pieces are stored. */
  composePlain(reader: ReaderPieces): Buffer {
    return gunzipSync(Buffer.concat(this.composeGzip(reader)))
  }

  /** The page for one reader as a gzip file, in the buffers that it is joined of. */
  composeGzip(reader: ReaderPieces): Buffer[] {
    const buffers: Buffer[] = [GZIP_HEADER]
    let checksum = 0
    let size = 0
    for (const { deflated, length, crc, shift } of this.piecesFor(reader)) {
      checksum = combineCrc32(checksum, crc, shift)
      size += length
      buffers.push(deflated)
    }
    const trailer = Buffer.allocUnsafe(8)
    trailer.writeUInt32LE(checksum, 0)
    trailer.writeUInt32LE(size, 4)
    buffers.push(LAST_BLOCK, trailer)
    return buffers
  }
}
