import * as z from 'zod/mini'

/** Texts of «Cuenta y datos» and its endpoints. */
export const ACCOUNT_TEXTS = {
  choice: 'Elige qué hacemos con tus perros.',
  when: 'Elige cuándo borramos tu cuenta.',
  alias: 'Escribe tu alias tal como aparece en tu perfil.',
  sessionEnded: 'Sesión cerrada.',
  noticesSaved: 'Avisos guardados.',
  hours: 'Escribe desde qué hora y hasta qué hora.',
} as const

/** Exports of a member's data: [count, seconds]. */
export const EXPORT_RATE_LIMIT = [10, 3600] as const

/** Input of deleting an account, from forms and JSON; `alias` confirms it. */
export const deleteAccountInput = z.object({
  dogs: z.enum(['delete', 'keep'], ACCOUNT_TEXTS.choice),
  alias: z.string(ACCOUNT_TEXTS.alias).check(z.maxLength(1000, ACCOUNT_TEXTS.alias)),
  /** Without the days in which it can be undone. */
  now: z._default(z.boolean(ACCOUNT_TEXTS.when), false),
})
