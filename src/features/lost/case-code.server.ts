import { randomInt } from 'node:crypto'
import type { Trx } from '#db/client.ts'

/** Without the characters that are mistaken for others on paper: 0 and O, 1, i and l. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
/** Some 880 million codes: it is no secret, it only leads to a public page. */
const CODE_CHARS = 6

/** The form of a code in an address. */
export const CODE_PATTERN = new RegExp(`^[${ALPHABET}]{${CODE_CHARS}}$`)

/** A code that no open case has. */
export async function drawCode(trx: Trx): Promise<string> {
  for (;;) {
    const code = Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    const taken = await trx.selectFrom('lost_cases').select('id').where('code', '=', code).executeTakeFirst()
    if (!taken) return code
  }
}
