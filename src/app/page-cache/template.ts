import { type MemberSlot, SLOT_SOURCE } from '#lib/member-slots.ts'
import { escapeHtml } from '#lib/text/html.ts'

/** Buttons with two states, by the reader: the markup before the state, which names what it is about, and the two states. */
const SWITCHES = {
  /** A like button (features/likes/LikeButton.tsx), by dog. */
  like: {
    before: /data-like="(?<like>[0-9a-f-]{36})" data-likes="\d+" /,
    off: 'aria-pressed="false"',
    on: 'aria-pressed="true"',
  },
  /** A follow button (features/follows/FollowButton.astro), by `followKey`. */
  follow: { before: /data-follow="(?<follow>[a-z]+:[a-z0-9-]+)" /, off: 'value="1"', on: 'value="0"' },
  /** Which of its buttons a comment shows (features/comments/CommentItem.tsx), by author. */
  comment: { before: /data-by="(?<comment>[0-9a-f-]{36})" /, off: 'data-own="0"', on: 'data-own="1"' },
} as const
type Kind = keyof typeof SWITCHES
const KINDS = Object.keys(SWITCHES) as Kind[]

const PLACES = new RegExp(
  [SLOT_SOURCE, ...KINDS.map((kind) => SWITCHES[kind].before.source + SWITCHES[kind].off)].join('|'),
  'g',
)

/** A text that all see, a slot with the reader's own text, or a switch. */
type Part = Buffer | { slot: MemberSlot } | { kind: Kind; key: string }

/** What a page shows one reader: the texts of its slots, and which of its switches are on. */
export interface ReaderParts extends Record<Kind, ReadonlySet<string>> {
  slots: Readonly<Record<MemberSlot, string>>
}

/** As text stands in HTML: escaped as Astro does it, which has another spelling of the apostrophe than React. */
const toHtml = (text: string): string => escapeHtml(text).replaceAll('&#x27;', '&#39;')

/** A page that is rendered once for all members, with places for what depends on the reader. To fill them in takes a hundredth of a render. */
export class PageTemplate {
  readonly #parts: Part[] = []
  /** What the page has switches for. */
  readonly keys: Readonly<Record<Kind, readonly string[]>>
  /** Whether the page shows anything of its reader but switches. */
  readonly hasSlots: boolean

  /** @param html the page with its slots (lib/member-slots.ts), and all switches off */
  constructor(html: string) {
    const keys = { like: new Set<string>(), follow: new Set<string>(), comment: new Set<string>() }
    let end = 0
    for (const { 0: match, index, groups = {} } of html.matchAll(PLACES)) {
      const kind = KINDS.find((name) => groups[name] !== undefined)
      // V8 keeps a part of a longer text together with all of that.
      const name = Buffer.from(groups[kind ?? 'slot'] ?? '').toString()
      const before = html.slice(end, kind ? index + match.length - SWITCHES[kind].off.length : index)
      this.#parts.push(Buffer.from(before), kind ? { kind, key: name } : { slot: name as MemberSlot })
      if (kind) keys[kind].add(name)
      end = index + match.length
    }
    this.#parts.push(Buffer.from(html.slice(end)))
    this.keys = { like: [...keys.like], follow: [...keys.follow], comment: [...keys.comment] }
    this.hasSlots = this.#parts.some((part) => 'slot' in part)
  }

  /** The page for one reader. */
  fillIn(reader: ReaderParts): Buffer {
    return Buffer.concat(
      this.#parts.map((part) => {
        if ('slot' in part) return Buffer.from(toHtml(reader.slots[part.slot]))
        return 'kind' in part ? Buffer.from(SWITCHES[part.kind][reader[part.kind].has(part.key) ? 'on' : 'off']) : part
      }),
    )
  }
}
