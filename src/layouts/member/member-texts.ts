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

export const formatGreeting = (alias: string | undefined): string => `Bienvenido, ${alias || FALLBACK_ALIAS}`
