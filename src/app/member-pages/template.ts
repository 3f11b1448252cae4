import { gunzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type MemberSlot, MEMBER_SLOTS, SLOT_PATTERN } from '#lib/member-slots.ts'
import { escapeHtml } from '#lib/text/html.ts'
import { BlockKeys, type Blocks } from './block-keys.ts'
import { combineCrc32, shiftOf } from './crc32-combine.ts'
import { deflate, packPieces, type Piece, toPiece, toStoredPiece } from './pieces.ts'
import { findSwitches, SWITCH_BLOCKS, type SwitchKind } from './switches.ts'

/**
 * A page that is rendered once for all members, in pieces: the text that all see, compressed once, and between it what depends on the
 * reader. A page is composed for a member by joining the pieces, which takes a hundredth of a render.
 *
 * Pieces can be joined compressed because of how DEFLATE works (RFC 1951): blocks may end on a byte (a sync flush), and a block refers to
 * earlier text only by its distance. So a block may refer to what stands before it as long as the text in between always has the same
 * length. Switches do: both states take the same bytes. Behind a slot, whose text has any length, a run begins without earlier text. No
 * block refers to a switch's state, since what it is compressed after has bytes there that no text has.
 */

/** A switch in a run of text. */
interface Switch {
  kind: SwitchKind
  key: string
  /** Where its block begins in the run's compressed bytes. */
  offset: number
  /** What the run's checksum is to be combined with (XOR) where it is on. */
  crcChange: number
}

/** Where a block is in its run's compressed bytes. */
interface BlockRange {
  key: string
  start: number
  end: number
}

/** The text between two slots, with its switches off. */
interface Run extends Piece {
  switches: readonly Switch[]
  ranges: readonly BlockRange[]
}

type Part = Run | { slot: MemberSlot }

/** As for cached pages (page-cache/encoding.ts). */
const SHARED_LEVEL = 6
/** A member of a gzip file without name and time (RFC 1952 §2.3). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** Estimated memory of a block's key and place. */
const BLOCK_BYTES = 300
/** An empty last block. */
const LAST_BLOCK = Buffer.from([3, 0])

interface RunOptions {
  level: number
  /** Whether what looks like a switch is one; otherwise it stays as it is. */
  hasSwitches: boolean
  /** Of an earlier render of the page. */
  known: Blocks
}

function toRun(text: string, { level, hasSwitches, known }: RunOptions): Run {
  const plain = Buffer.from(text)
  // What blocks refer to: a switch's state has bytes there that UTF-8 has not.
  const earlier = hasSwitches ? Buffer.from(plain) : plain
  const blocks: Buffer[] = []
  const switches: Switch[] = []
  const ranges: BlockRange[] = []
  const keys = new BlockKeys(level)
  // Lengths so far, compressed and not.
  let offset = 0
  let length = 0
  const add = (block: Buffer, bytes: number) => {
    blocks.push(block)
    offset += block.length
    length += bytes
  }
  const addStatic = (part: string) => {
    const end = length + Buffer.byteLength(part)
    if (end === length) return
    const bytes = plain.subarray(length, end)
    const key = hasSwitches ? keys.add(bytes) : ''
    const block = known.get(key) ?? deflate(bytes, earlier.subarray(0, length), level)
    if (hasSwitches) ranges.push({ key, start: offset, end: offset + block.length })
    add(block, bytes.length)
  }
  let done = 0
  for (const { kind, key, start, end } of hasSwitches ? findSwitches(text) : []) {
    addStatic(text.slice(done, start))
    const { off, crcChange } = SWITCH_BLOCKS[kind]
    const state = end - start
    switches.push({ kind, key, offset, crcChange: combineCrc32(crcChange, 0, shiftOf(plain.length - length - state)) })
    earlier.fill(0xff, length, length + state)
    keys.addSwitch(state)
    add(off, state)
    done = end
  }
  addStatic(text.slice(done))
  return { ...toPiece(plain, blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks)), switches, ranges }
}

/** Slots whose text is that of many members: counts, labels of the bell. */
const COMMON_SLOTS: readonly MemberSlot[] = [
  'aliasClass',
  'emoji',
  'dogs',
  'breeds',
  'completed',
  'unread',
  'bellLabel',
  'bellBadge',
]
/** Their pieces, of some 200 bytes each, by text. */
const commonPieces = new LRUCache<string, Piece>({ max: 2000 })

function toCommonPiece(text: string): Piece {
  let piece = commonPieces.get(text)
  if (!piece) commonPieces.set(text, (piece = packPieces([toSlotPiece(text)])[0]!))
  return piece
}

/** A member's texts; those that are theirs alone in one buffer. */
export function toSlotPieces<Slot extends MemberSlot>(texts: Readonly<Record<Slot, string>>): Record<Slot, Piece> {
  const slots = Object.keys(texts) as Slot[]
  const isCommon = (slot: Slot) => texts[slot] === '' || COMMON_SLOTS.includes(slot)
  const own = packPieces(slots.filter((slot) => !isCommon(slot)).map((slot) => toSlotPiece(texts[slot])))
  const entries = slots.map((slot) => [slot, isCommon(slot) ? toCommonPiece(texts[slot]) : own.shift()])
  return Object.fromEntries(entries) as Record<Slot, Piece>
}

/** A member's text as it stands in HTML: escaped as Astro does it, which has another spelling of the apostrophe than React. */
export const toSlotPiece = (text: string): Piece => toStoredPiece(escapeHtml(text).replaceAll('&#x27;', '&#39;'))

/** What a page is composed of for one reader. */
export interface ReaderPieces {
  slots: Readonly<Record<MemberSlot, Piece>>
  /** Whether a switch is on for them. @param key of a dog, a `followKey` (features/follows/follows.ts), or of a comment's author */
  isOn: (kind: SwitchKind, key: string) => boolean
}

export interface TemplateOptions {
  /** Of the compression, 1 to 9. */
  level?: number | undefined
  /** Whether switches are set when the page is sent; they stay as they are rendered otherwise. */
  hasSwitches?: boolean | undefined
  /** Blocks of an earlier render of the page: those of unchanged text are not compressed again. */
  known?: Blocks | undefined
}

const NO_BLOCKS: Blocks = new Map()

export class PageTemplate {
  readonly parts: readonly Part[]
  /** The dogs whose hearts the page has. */
  readonly dogIds: readonly string[]
  /** What the page has follow buttons for. */
  readonly followKeys: readonly string[]
  /** Whether the page shows anything of its reader but switches. */
  readonly hasSlots: boolean
  /** For the next render of the page. */
  readonly blocks: Blocks
  /** Memory of the pieces. */
  readonly bytes: number

  /** @param html the page with its slots (lib/member-slots.ts) */
  constructor(html: string, { level = SHARED_LEVEL, hasSwitches = true, known = NO_BLOCKS }: TemplateOptions = {}) {
    const parts = html.split(SLOT_PATTERN).flatMap((text, index): Part[] => {
      if (index % 2 === 0) return text === '' ? [] : [toRun(text, { level, hasSwitches, known })]
      const slot = MEMBER_SLOTS.find((name) => name === text)
      if (!slot) throw new Error(`there is no slot ${text}`)
      return [{ slot }]
    })
    const runs = packPieces(parts.filter((part) => 'deflated' in part))
    this.parts = parts.map((part) => ('deflated' in part ? runs.shift()! : part))
    const switches = parts.flatMap((part) => ('deflated' in part ? part.switches : []))
    this.blocks = new Map(
      this.parts.flatMap((part) =>
        'deflated' in part
          ? part.ranges.map(({ key, start, end }) => [key, part.deflated.subarray(start, end)] as const)
          : [],
      ),
    )
    const keysOf = (kind: SwitchKind) => [
      ...new Set(switches.filter((each) => each.kind === kind).map(({ key }) => key)),
    ]
    this.dogIds = keysOf('like')
    this.followKeys = keysOf('follow')
    this.hasSlots = parts.some((part) => 'slot' in part)
    const sizes = parts.map((part) => ('deflated' in part ? part.deflated.length + 150 : 100))
    this.bytes = sizes.reduce((sum, size) => sum + size, switches.length * 100 + this.blocks.size * BLOCK_BYTES)
  }

  /** Bytes of the page for one reader. */
  lengthFor({ slots }: ReaderPieces): number {
    return this.parts.reduce((sum, part) => sum + ('slot' in part ? slots[part.slot] : part).length, 0)
  }

  /** The page for one reader, for programs that take no gzip: only the compressed pieces are stored. */
  composePlain(reader: ReaderPieces): Buffer {
    return gunzipSync(Buffer.concat(this.composeGzip(reader)))
  }

  /** The page for one reader as a gzip file, in the buffers that it is joined of. */
  composeGzip({ slots, isOn }: ReaderPieces): Buffer[] {
    const buffers: Buffer[] = [GZIP_HEADER]
    let checksum = 0
    let size = 0
    for (const part of this.parts) {
      const piece = 'slot' in part ? slots[part.slot] : part
      const { deflated } = piece
      let { crc } = piece
      // What of the run is in `buffers` already.
      let done = 0
      for (const { kind, key, offset, crcChange } of 'slot' in part ? NO_SWITCHES : part.switches) {
        if (!isOn(kind, key)) continue
        const { on } = SWITCH_BLOCKS[kind]
        buffers.push(deflated.subarray(done, offset), on)
        done = offset + on.length
        crc = (crc ^ crcChange) >>> 0
      }
      buffers.push(done === 0 ? deflated : deflated.subarray(done))
      checksum = combineCrc32(checksum, crc, piece.shift)
      size += piece.length
    }
    const trailer = Buffer.allocUnsafe(8)
    trailer.writeUInt32LE(checksum, 0)
    trailer.writeUInt32LE(size, 4)
    buffers.push(LAST_BLOCK, trailer)
    return buffers
  }
}

const NO_SWITCHES: readonly Switch[] = []
