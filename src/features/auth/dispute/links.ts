import * as z from 'zod/mini'
import { UNDO_DAYS } from '../auth.ts'
import { authPaths } from '../auth-paths.ts'
import { EMAIL_CHANGE_TEXTS } from '../email-change/email-change.ts'
import type { NamedAlert } from '../new-device/new-device.ts'
import { DISPUTE_TEXTS } from './dispute.ts'

const INVALID = 'Este enlace no es válido'

/** The two kinds of mailed links that put an account in dispute, with status, title and text of what comes of them. Any secret fits both. */
export const DISPUTE_LINKS = {
  undo: {
    page: authPaths.undo,
    action: authPaths.api.undo,
    button: 'Deshacer el cambio',
    done: [200, 'Deshecho', EMAIL_CHANGE_TEXTS.undone],
    used: [404, INVALID, EMAIL_CHANGE_TEXTS.dead],
    late: [410, 'Ya no se puede deshacer', EMAIL_CHANGE_TEXTS.late],
    unknown: [404, INVALID, EMAIL_CHANGE_TEXTS.dead],
  },
  disown: {
    page: authPaths.disown,
    action: authPaths.api.disown,
    button: 'No he sido yo',
    done: [200, 'Tu cuenta está protegida', DISPUTE_TEXTS.done],
    used: [409, 'Ya está hecho', 'Este enlace ya se ha usado: la sesión está cerrada.'],
    late: [410, 'El plazo ha terminado', `El enlace valía ${UNDO_DAYS} días. Mira tus sesiones en «Cuenta y datos».`],
    unknown: [404, INVALID, 'Este enlace no es válido.'],
  },
} as const
export type LinkKind = keyof typeof DISPUTE_LINKS

/** A token: 32 bytes in base64url. */
export const linkInput = (kind: LinkKind) => {
  const dead = DISPUTE_LINKS[kind].unknown[2]
  return z.object({ token: z.string(dead).check(z.regex(/^[\w-]{43}$/, dead)) })
}

/** What a link leads to. Of an open one: what its mail told of, the account's address, and the one it would have again. */
export type DisputeLink =
  | { state: 'open'; alerts: NamedAlert[]; email: string | null; previous: string | null }
  | { state: 'done' | 'used' | 'late' | 'unknown' }
