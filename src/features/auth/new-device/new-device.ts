import { authPaths } from '#features/auth/auth-paths.ts'
import { formatDateTime } from '#lib/dates.ts'

/** Days in which the mail's link ends the session that it names. */
export const DISOWN_DAYS = 7

/** Mails to one account in an hour. Sign-ins beyond them wait, and the next mail names all of them. */
export const ALERT_MAILS_PER_HOUR = 3
/** Entries in the bell of one account in an hour. */
export const ALERTS_IN_BELL_PER_HOUR = 10

const UNKNOWN_DEVICE = 'un dispositivo desconocido'

/** The device within a sentence: «Firefox en Linux». */
export const deviceInSentence = (device: string | null): string => device || UNKNOWN_DEVICE

/** A sign-in on a new device, as a mail names it. */
export interface NewDeviceSignIn {
  device: string
  /** Milliseconds. */
  created_at: number
}

/** «Firefox en Linux, 26 nov 2026, 18:20» */
export const describeSignIn = ({ device, created_at }: NewDeviceSignIn): string =>
  `${deviceInSentence(device)}, ${formatDateTime(created_at)}`

/** What the bell says; it leads to the sessions. */
export const toBellNotification = (device: string | null) => ({
  title: 'Dispositivo nuevo',
  content: `Has entrado desde ${deviceInSentence(device)}. Si no has sido tú, cierra esa sesión.`,
  link: authPaths.accountSessions(),
})

export const DISOWN_TEXTS = {
  dead: 'Este enlace no es válido.',
  used: 'Este enlace ya se ha usado: la sesión está cerrada.',
  late: `El enlace valía ${DISOWN_DAYS} días. Mira tus sesiones en «Cuenta y datos».`,
  missing: 'Esa sesión ya está cerrada.',
  notYours: 'Solo puedes cerrar tus propias sesiones.',
} as const
