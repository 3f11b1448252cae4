/** Switches: what has two states, by the reader. Pages that members share are rendered with all of them off. */

/** Each kind of switch: the pattern of the markup before it, which contains its key, and its two states. */
const FORMS = {
  /** A like button (features/likes/LikeButton.tsx), by dog. */
  like: {
    before: /data-like="(?<key>[0-9a-f-]{36})" data-likes="\d+" /,
    off: 'aria-pressed="false" data-on=""',
    on: 'aria-pressed="true" data-on="1"',
  },
  /** A follow button (features/follows/FollowButton.astro), by `followKey`. */
  follow: { before: /data-follow="(?<key>[a-z]+:[a-z0-9-]+)" /, off: 'value="1"', on: 'value="0"' },
  /** Which of its buttons a comment shows (features/comments/CommentItem.tsx), by author. */
  comment: { before: /data-by="(?<key>[0-9a-f-]{36})" /, off: 'data-own="0"', on: 'data-own="1"' },
} as const

export type SwitchKind = keyof typeof FORMS

const KINDS = Object.keys(FORMS) as SwitchKind[]
const SWITCHES = new RegExp(
  KINDS.map((kind) => `${FORMS[kind].before.source}(?<${kind}>${FORMS[kind].off})`).join('|'),
  'g',
)

/** A text of ASCII in memory of its own: V8 keeps a part of a longer text together with all of that. */
const ownString = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/** The switches of a text, with where each state stands in it. */
export function* findSwitches(text: string) {
  for (const { 0: whole, index, groups = {} } of text.matchAll(SWITCHES)) {
    const kind = KINDS.find((name) => groups[name] !== undefined)!
    const end = index + whole.length
    yield { kind, key: ownString(groups.key ?? ''), start: end - FORMS[kind].off.length, end }
  }
}

/** The states of each kind. */
export const SWITCH_STATES = Object.fromEntries(
  KINDS.map((kind) => [kind, { off: Buffer.from(FORMS[kind].off), on: Buffer.from(FORMS[kind].on) }]),
) as Record<SwitchKind, Record<'off' | 'on', Buffer>>
