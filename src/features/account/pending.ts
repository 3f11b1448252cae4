/** What a device keeps of a dog it added without an account (spec.md §3), to make it its person's after sign-in. */
export interface PendingAssociation {
  dogId: string
  ownershipType: 'owner' | 'discoverer'
  token: string
}

const isPending = (value: unknown): value is PendingAssociation => {
  const { dogId, ownershipType, token } = (value ?? {}) as Record<string, unknown>
  return typeof dogId === 'string' && typeof token === 'string' && /^(owner|discoverer)$/.test(String(ownershipType))
}

const parse = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** Every dog that waits: the last one added, and those of the list of pending dogs. Each once. */
export function pendingAssociations(association: string | null, list: string | null): PendingAssociation[] {
  const waiting = parse(list)
  const all = [...(Array.isArray(waiting) ? waiting : []), parse(association)].filter(isPending)
  return [...new Map(all.map((pending) => [pending.dogId, pending])).values()]
}

/** The list of pending dogs without those in `done`; null when none is left. */
export function remainingDogs(list: string | null, done: ReadonlySet<string>): string | null {
  const waiting = parse(list)
  const left = (Array.isArray(waiting) ? waiting : []).filter((entry) => isPending(entry) && !done.has(entry.dogId))
  return left.length > 0 ? JSON.stringify(left) : null
}

export type Outcome = 'done' | 'hopeless' | 'later'

/** What an answer means for the entry: claimed, never to be claimed (gone, somebody's, wrong token), or worth a retry. */
export function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'done'
  return [403, 404, 409, 410, 422].includes(status) ? 'hopeless' : 'later'
}

export const PENDING_TEXTS = {
  doneTitle: 'Perro asociado',
  done: 'Tu perro ha sido asociado a tu cuenta exitosamente.',
  hopelessTitle: 'No se pudo asociar el perro',
} as const
