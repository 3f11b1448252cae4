import { AGE_UNITS } from '#lib/age.ts'
import { SIZES } from '../dogs.ts'
import { EMPTY_VALUES, type FormValues } from './form-values.ts'

/** What an unfinished form leaves behind: one for adding and one for each dog being edited. */
export interface Draft {
  values: FormValues
  /** The gallery in order: a stored address, or the id of a new photo kept in IndexedDB. */
  photos: DraftPhoto[]
  savedAt: number
}
export type DraftPhoto = ({ url: string } | { id: string; name: string }) & { alt?: string }

/** Where a form's draft lives; `dogId` is null when adding. */
export const draftKey = (dogId: string | null): string => `perrario-borrador-${dogId ?? 'nuevo'}`

/** A draft nobody came back to in a month is forgotten. */
export const DRAFT_DAYS = 30

export const writeDraft = (draft: Draft): string => JSON.stringify(draft)

/**
 * The draft in `text`, or null when it is none, too old or from another version of the form. Storage belongs to the
 * device: every field is checked, and what does not fit falls back to empty.
 */
export function readDraft(text: string | null, now: number): Draft | null {
  const stored = parse(text)
  if (!stored || typeof stored.savedAt !== 'number' || now - stored.savedAt > DRAFT_DAYS * 86_400_000) return null
  const from = isRecord(stored.values) ? stored.values : {}
  const values = { ...EMPTY_VALUES }
  for (const key of ['name', 'breed', 'mix', 'age', 'weight', 'zone', 'description'] as const) {
    const value = from[key]
    if (typeof value === 'string') values[key] = value
  }
  values.age_unit = AGE_UNITS.find((unit) => unit === from.age_unit) ?? EMPTY_VALUES.age_unit
  values.size = SIZES.find((size) => size === from.size) ?? ''
  values.relationship = from.relationship === 'discoverer' ? 'discoverer' : 'owner'
  values.is_adopted = from.is_adopted === true
  const photos = Array.isArray(stored.photos) ? stored.photos.filter(isDraftPhoto) : []
  return { values, photos, savedAt: stored.savedAt }
}

function parse(text: string | null): Record<string, unknown> | null {
  if (!text) return null
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isDraftPhoto = (value: unknown): value is DraftPhoto =>
  isRecord(value) &&
  (typeof value.url === 'string' || (typeof value.id === 'string' && typeof value.name === 'string')) &&
  (value.alt === undefined || typeof value.alt === 'string')
