import { MEMBER_SLOTS, type MemberSlot, SLOT_PATTERN } from '#lib/member-slots.ts'
import { escapeHtml } from '#lib/text/html.ts'
import { findSwitches, SWITCH_STATES, type SwitchKind } from './switches.ts'

/** A text that all see, a slot with the reader's own text, or a switch. */
type Part = Buffer | { slot: MemberSlot } | { kind: SwitchKind; key: string }

/** What a page is composed of for one reader. */
export interface ReaderParts {
  slots: Readonly<Record<MemberSlot, string>>
  /** Whether a switch is on for them. @param key of a dog, a `followKey` (features/follows/follows.ts), or of a comment's author */
  isOn: (kind: SwitchKind, key: string) => boolean
}

/** Where pages are composed, one after another; as large as the largest of them, at most twice. */
let scratch = Buffer.allocUnsafeSlow(128 * 1024)

/** Estimated memory of a part beside its text. */
const PART_BYTES = 150

/** Switches and the text between them. */
function* splitAtSwitches(text: string): Generator<Part> {
  let done = 0
  for (const { kind, key, start, end } of findSwitches(text)) {
    yield Buffer.from(text.slice(done, start))
    yield { kind, key }
    done = end
  }
  yield Buffer.from(text.slice(done))
}

/** As text stands in HTML: escaped as Astro does it, which has another spelling of the apostrophe than React. */
const toHtml = (text: string): string => escapeHtml(text).replaceAll('&#x27;', '&#39;')

/** A page that is rendered once for all members, in parts. To compose it for a member takes a hundredth of a render. */
export class PageTemplate {
  readonly parts: readonly Part[]
  /** The dogs whose hearts the page has. */
  readonly dogIds: readonly string[]
  /** What the page has follow buttons for. */
  readonly followKeys: readonly string[]
  /** Whether the page shows anything of its reader but switches. */
  readonly hasSlots: boolean
  /** Memory of the parts. */
  readonly bytes: number

  /** @param html the page with its slots (lib/member-slots.ts) */
  constructor(html: string) {
    this.parts = html.split(SLOT_PATTERN).flatMap((text, index): Part[] => {
      if (index % 2 === 0) return [...splitAtSwitches(text)]
      const slot = MEMBER_SLOTS.find((name) => name === text)
      if (!slot) throw new Error(`there is no slot ${text}`)
      return [{ slot }]
    })
    const keysOf = (kind: SwitchKind) => [
      ...new Set(this.parts.flatMap((part) => ('kind' in part && part.kind === kind ? [part.key] : []))),
    ]
    this.dogIds = keysOf('like')
    this.followKeys = keysOf('follow')
    this.hasSlots = this.parts.some((part) => 'slot' in part)
    this.bytes = this.parts.reduce((sum, part) => sum + PART_BYTES + ('length' in part ? part.length : 0), 0)
  }

  /** The page for one reader, in a buffer that the next call writes again: so the collector has nothing to free. */
  compose({ slots, isOn }: ReaderParts): Buffer {
    let length = 0
    const add = (bytes: Buffer) => {
      if (length + bytes.length > scratch.length) {
        const larger = Buffer.allocUnsafeSlow(2 * (length + bytes.length))
        scratch.copy(larger, 0, 0, length)
        scratch = larger
      }
      length += bytes.copy(scratch, length)
    }
    for (const part of this.parts) {
      if ('slot' in part) add(Buffer.from(toHtml(slots[part.slot])))
      else add('kind' in part ? SWITCH_STATES[part.kind][isOn(part.kind, part.key) ? 'on' : 'off'] : part)
    }
    return scratch.subarray(0, length)
  }
}
