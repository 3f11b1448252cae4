import { AGE_UNITS } from '#lib/age.ts'
import { SIZES } from '../dogs.ts'
import { FREE_TEXT_NAMES } from '#features/dogs/write/dog-fields.ts'
import { EMPTY_VALUES, type FormValues } from './form-values.ts'

/** The draft of an unfinished form: for each member and for visitors, one for adding and one for each dog being edited. */
export interface Draft {
  values: FormValues
  /** The gallery in order: the URL of a stored photo, or the id of a new one in IndexedDB. */
  photos: DraftPhoto[]
  savedAt: number
}
export type DraftPhoto = ({ url: string } | { id: string; name: string }) & { alt?: string }

const PREFIX = 'perrario-borrador-'

/** What the keys of all drafts of a member begin with. */
export const memberDraftPrefix = (member: string): string => `${PREFIX}de-${member}-`

/**
 * The draft's storage key. A member's draft is theirs alone: whoever uses the device after them is not offered it.
 * @param dogId null when adding
 * @param member who opened the form; null for a visitor
 */
export const draftKey = (dogId: string | null, member: string | null): string =>
  (member === null ? PREFIX : memberDraftPrefix(member)) + (dogId ?? 'nuevo')

/** Older drafts are ignored. */
export const DRAFT_RETENTION_DAYS = 30

export const writeDraft = (draft: Draft): string => JSON.stringify(draft)

/**
 * Parses a stored draft; null when it is invalid or too old. The stored text is not trusted: each field is checked, and an
 * invalid one becomes empty.
 */
export function readDraft(text: string | null, now: number): Draft | null {
  const stored = parse(text)
  if (!stored || typeof stored.savedAt !== 'number' || now - stored.savedAt > DRAFT_RETENTION_DAYS * 86_400_000)
    return null
  const storedValues = isRecord(stored.values) ? stored.values : {}
  const values = { ...EMPTY_VALUES }
  for (const key of ['name', 'breed', 'mix', 'age', 'weight', 'zone', ...FREE_TEXT_NAMES] as const) {
    const value = storedValues[key]
    if (typeof value === 'string') values[key] = value
  }
  values.age_unit = AGE_UNITS.find((unit) => unit === storedValues.age_unit) ?? EMPTY_VALUES.age_unit
  values.size = SIZES.find((size) => size === storedValues.size) ?? ''
  values.relationship = storedValues.relationship === 'discoverer' ? 'discoverer' : 'owner'
  values.is_adopted = storedValues.is_adopted === true
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
