/** An entry a device stores for a dog it added without an account, to associate it after sign-in (docs/product.md §26.5). */
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

/** The valid entries of the stored list. */
const parsePendingDogs = (list: string | null) => {
  const entries = parseJson(list)
  return (Array.isArray(entries) ? entries : []).filter(isPendingAssociation)
}

/** All pending dogs, each once: those of the stored list, which have the dog's name, and the last one added. */
export function listPendingAssociations(association: string | null, list: string | null): PendingAssociation[] {
  const all = [...parsePendingDogs(list), parseJson(association)].filter(isPendingAssociation)
  return all.filter(({ dogId }, i) => all.findIndex((one) => one.dogId === dogId) === i)
}

/** The stored list without the dogs in `associatedIds`; null when none is left. */
export function withoutAssociatedDogs(list: string | null, associatedIds: ReadonlySet<string>): string | null {
  const remaining = parsePendingDogs(list).filter((entry) => !associatedIds.has(entry.dogId))
  return remaining.length > 0 ? JSON.stringify(remaining) : null
}

/** The stored list with the sign-in e-mail added to every dog (docs/product.md §26.5); null without dogs. */
export function addEmailToPendingDogs(list: string | null, email: string): string | null {
  const entries = parsePendingDogs(list)
  return entries.length > 0 ? JSON.stringify(entries.map((entry) => ({ ...entry, email }))) : null
}

/** The e-mail of the newest pending dog that has one; '' without any. */
export const findPendingEmail = (list: string | null): string =>
  parsePendingDogs(list)
    .toReversed()
    .map(({ email }) => email)
    .find((email): email is string => typeof email === 'string' && email !== '') ?? ''

/** The sign-in screens' note on pending dogs; null without any. */
export function formatPendingMessage(association: string | null, list: string | null): string | null {
  const pending = listPendingAssociations(association, list) as (PendingAssociation & Fields)[]
  if (pending.length === 0) return null
  if (pending.length > 1) return `Tus ${pending.length} perros te esperan: entra y estarán en tu cuenta.`
  const { name } = (pending[0]!.dog ?? {}) as Fields
  const shownName = typeof name === 'string' && name !== '' && name !== '???' ? name : 'Tu perro'
  return `${shownName} te espera: entra y estará en tu cuenta.`
}

export type AssociationOutcome = 'done' | 'rejected' | 'later'

/** Outcome of a response's status: associated, never possible (deleted, another member's, wrong token), or worth a retry. */
export function toAssociationOutcome(status: number): AssociationOutcome {
  if (status >= 200 && status < 300) return 'done'
  return [403, 404, 409, 410, 422].includes(status) ? 'rejected' : 'later'
}

export const PENDING_TEXTS = {
  doneTitle: 'Perro asociado',
  done: 'Tu perro ha sido asociado a tu cuenta exitosamente.',
  rejectedTitle: 'No se pudo asociar el perro',
} as const
