import {
  describeSecurityEvent,
  type SecurityEvent,
  type SecurityLogEntry,
} from '#features/auth/security-log/security-log.ts'
import { formatDateTime } from '#lib/dates.ts'

/** Mails to one address of an account in an hour. Alerts beyond them wait, and the next mail names all of them. */
export const ALERT_MAILS_PER_HOUR = 3
/** Entries in the bell of one account in an hour. */
export const ALERTS_IN_BELL_PER_HOUR = 10

const UNKNOWN_DEVICE = 'un dispositivo desconocido'

/** The device within a sentence: «Firefox en Linux». */
export const deviceInSentence = (device: string | null): string => device || UNKNOWN_DEVICE

/** A sign-in on a new device, a way in that was added, or a change of address, as a mail names it. `created_at` in milliseconds. */
export interface NamedAlert extends Pick<SecurityLogEntry, 'created_at'> {
  event: string
  device: string
}

export const isSignIn = ({ event }: NamedAlert): boolean => event === 'new-device'

/** «Firefox en Linux, 26 nov 2026, 18:20», «Llave de acceso «Móvil» añadida, 26 nov 2026, 18:20» */
export const describeAlert = (alert: NamedAlert): string => {
  const detail = alert.device || null
  const event = alert.event as SecurityEvent
  const what = isSignIn(alert) ? deviceInSentence(detail) : describeSecurityEvent({ event, detail })
  return `${what}, ${formatDateTime(alert.created_at)}`
}

export const DISOWN_TEXTS = {
  missing: 'Esa sesión ya está cerrada.',
  notYours: 'Solo puedes cerrar tus propias sesiones.',
} as const
