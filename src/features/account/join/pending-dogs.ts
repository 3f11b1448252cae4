/** What a device keeps of a dog it added without an account (docs/product.md §26.5), to make it its person's after sign-in. */
export interface PendingAssociation {
  dogId: string
  ownershipType: 'owner' | 'discoverer'
  token: string
}

type Fields = Record<string, unknown>

const isPendingAssociation = (value: unknown): value is PendingAssociation & Fields => {
  const { dogId, ownershipType, token } = (value ?? {}) as Fields
  return typeof dogId === 'string' && typeof token === 'string' && /^(owner|discoverer)$/.test(String(ownershipType))
}

const parseJson = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** The entries of the list of pending dogs that are some. */
const parsePendingDogs = (list: string | null) => {
  const waiting = parseJson(list)
  return (Array.isArray(waiting) ? waiting : []).filter(isPendingAssociation)
}

/** Every dog that waits: the last one added, and those of the list of pending dogs. Each once. */
export function listPendingAssociations(association: string | null, list: string | null): PendingAssociation[] {
  const all = [...parsePendingDogs(list), parseJson(association)].filter(isPendingAssociation)
  return [...new Map(all.map((pending) => [pending.dogId, pending])).values()]
}

/** The list of pending dogs without those in `done`; null when none is left. */
export function withoutAssociatedDogs(list: string | null, done: ReadonlySet<string>): string | null {
  const left = parsePendingDogs(list).filter((entry) => !done.has(entry.dogId))
  return left.length > 0 ? JSON.stringify(left) : null
}

/** The list with the e-mail its person signs in with on every dog (docs/product.md §26.5: dog data plus e-mail); null without dogs. */
export function addEmailToPendingDogs(list: string | null, email: string): string | null {
  const entries = parsePendingDogs(list)
  return entries.length > 0 ? JSON.stringify(entries.map((entry) => ({ ...entry, email }))) : null
}

/** The e-mail typed for the dogs that wait, the newest first; '' where none was. */
export const findPendingEmail = (list: string | null): string =>
  parsePendingDogs(list)
    .toReversed()
    .map(({ email }) => email)
    .find((email): email is string => typeof email === 'string' && email !== '') ?? ''

/** What the sign-in screens say while dogs wait; null where none does. */
export function formatPendingMessage(association: string | null, list: string | null): string | null {
  const waiting = listPendingAssociations(association, list) as (PendingAssociation & Fields)[]
  if (waiting.length === 0) return null
  if (waiting.length > 1) return `Tus ${waiting.length} perros te esperan: entra y estarán en tu cuenta.`
  const { name } = (waiting[0]!.dog ?? {}) as Fields
  const who = typeof name === 'string' && name !== '' && name !== '???' ? name : 'Tu perro'
  return `${who} te espera: entra y estará en tu cuenta.`
}

export type AssociationOutcome = 'done' | 'hopeless' | 'later'

/** What an answer means for the entry: claimed, never to be claimed (gone, somebody's, wrong token), or worth a retry. */
export function toAssociationOutcome(status: number): AssociationOutcome {
  if (status >= 200 && status < 300) return 'done'
  return [403, 404, 409, 410, 422].includes(status) ? 'hopeless' : 'later'
}

export const PENDING_TEXTS = {
  doneTitle: 'Perro asociado',
  done: 'Tu perro ha sido asociado a tu cuenta exitosamente.',
  hopelessTitle: 'No se pudo asociar el perro',
} as const
