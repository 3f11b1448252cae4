import { bellLabel } from '#features/notifications/bell/bell.ts'
import { badgeText } from '#features/notifications/notifications.ts'
import { FALLBACK_ALIAS, FALLBACK_EMOJI } from '#lib/text/names.ts'
import { formatCount, percent } from '#lib/numbers.ts'

/** What the frame shows about the signed-in member. */
export interface SignedInMember {
  alias: string
  emoji: string
  email: string | null
  counts: { dogs: number; breeds: number; total: number }
}

/** The texts of the user block. The server writes them, or a script on pages that are the same for everyone. */
export function formatMemberTexts(person: SignedInMember) {
  const { dogs, breeds, total } = person.counts
  return {
    alias: person.alias || FALLBACK_ALIAS,
    emoji: person.emoji || FALLBACK_EMOJI,
    email: person.email ?? '',
    dogs: formatCount(dogs),
    breeds: formatCount(breeds),
    completed: `${percent(breeds, total)} %`,
  }
}

/** Everything in the frame that depends on the member, as it stands in the page; `live` apart, which changes with every event. */
export interface FrameTexts extends ReturnType<typeof formatMemberTexts> {
  /** The member's id. */
  member: string
  /** Classes of the alias. */
  aliasClass: string
  greeting: string
  /** Unread notifications: their number, the bell's accessible name and its badge. */
  unread: string
  bellLabel: string
  bellBadge: string
}

/** The texts of the frame for a member. @param unread the number of their unread notifications */
export function formatFrameTexts(person: SignedInMember & { id: string }, unread: number): FrameTexts {
  const texts = formatMemberTexts(person)
  return {
    ...texts,
    member: person.id,
    aliasClass: texts.email === '' ? 'alone' : 'with-mail',
    greeting: formatGreeting(person.alias),
    unread: String(unread),
    bellLabel: bellLabel(unread),
    bellBadge: unread > 0 ? badgeText(unread) : '',
  }
}

export const formatGreeting = (alias: string | undefined): string => `Bienvenido, ${alias || FALLBACK_ALIAS}`
