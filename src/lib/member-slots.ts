/**
 * Slots of pages that are rendered once for all members: markers in the HTML, each filled in with the reader's own text when the page is
 * sent (src/app/member-pages).
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

/** Splits at slots: every second part is the name of one. */
export const SLOT_PATTERN = new RegExp(`${START}([a-zA-Z]+)${END}`, 'g')

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

/** The members who do not get the page that all others get. */
export interface UnsharedWith {
  /** Members who get a page of their own, with controls; so does a member who has a block with one of them. */
  people: readonly (string | null)[]
  /** Members who appear on the page and share it; a member who has a block with one of them gets a page without them. */
  named?: readonly (string | null)[]
  /** Whether members see something there that nobody else does: a hidden comment, a request for ownership. */
  hasOwnParts: boolean
}

export interface MemberTemplateOptions {
  /** A page calls it to say that it is the same for all members but those. One that does not is rendered for each. */
  share: (unsharedWith: UnsharedWith) => void
}
