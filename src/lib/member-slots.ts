/**
 * Slots of pages that are rendered once for all members: markers in the HTML, each filled in with the reader's own text when the page is
 * sent (src/app/page-cache).
 */

/** Secret of this process, so that nobody's text in a page can be taken for a slot. */
const NONCE = crypto.randomUUID().replaceAll('-', '')
/** Of Latin-1, so that a page without wider letters is a string of one byte a letter while it is rendered. */
const START = `\u0091${NONCE}`
const END = '\u0092'

/**
 * Everything that a slot may hold: the texts of the frame (features/account/member-frame.ts), the live stream's position, and which dogs
 * the member likes (features/likes/likes.ts, fingerprintLikes).
 */
export const MEMBER_SLOTS = [
  'member',
  'live',
  'liked',
  'alias',
  'aliasClass',
  'emoji',
  'email',
  'dogs',
  'breeds',
  'completed',
  'greeting',
  'unread',
  'bellLabel',
  'bellBadge',
] as const

export type MemberSlot = (typeof MEMBER_SLOTS)[number]

/** What stands in a page instead of the member's text. No escaping changes it. */
export const slotMarker = (slot: MemberSlot): string => `${START}${slot}${END}`

/** Matches a slot's marker, as the source of a regular expression. */
export const SLOT_SOURCE = `${START}(?<slot>[a-zA-Z]+)${END}`

/** The texts of a frame whose every text is a slot. */
export const slotTexts = Object.fromEntries(MEMBER_SLOTS.map((slot) => [slot, slotMarker(slot)])) as Record<
  MemberSlot,
  string
>

/** Stands in for the reader while such a page is rendered: no member, so no row is theirs. */
export const TEMPLATE_MEMBER = {
  id: slotMarker('member'),
  email: null,
  alias: slotMarker('alias'),
  emoji: slotMarker('emoji'),
  verified: false,
}
