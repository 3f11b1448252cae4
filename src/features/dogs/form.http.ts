import { PHOTO_TEXTS, PHOTO_UPLOAD_MAX } from '#features/photos/photos.ts'
import { AppError, type FieldErrors, invalid } from '#lib/errors.ts'
import { check } from '#server/http.ts'
import { altsSchema, type DogInput, DOG_TEXTS, dogPatchSchema, dogSchema } from './dogInput.ts'

// What POST /api/dogs and PUT /api/dogs/{id}/images find in their forms.

/** A photo of a form, and its place among all `images`, by which `alts` go with them. */
export interface SentPhoto {
  part: string | File
  at: number
}

/** The `images` parts. A file field left empty sends a nameless part without bytes, which is no photo. @throws AppError 413 for one above 4 MB */
export function photosOf(form: FormData): SentPhoto[] {
  const photos = form
    .getAll('images')
    .map((part, at) => ({ part, at }))
    .filter(({ part }) => (typeof part === 'string' ? part !== '' : part.size > 0 || part.name !== ''))
  if (photos.some(({ part }) => typeof part !== 'string' && part.size > PHOTO_UPLOAD_MAX))
    throw new AppError(413, PHOTO_TEXTS.tooHeavy)
  return photos
}

/**
 * What is said of each photo: the n-th `alts` is of the n-th `images`; undefined where there are fewer.
 * @throws AppError 422 with `alts.{n}` for each that is wrong, or `alts` where there are more of them than photos
 */
export function altsOf(form: FormData, photos: readonly SentPhoto[]): (string | null | undefined)[] {
  const sent = form.getAll('alts')
  if (sent.length > form.getAll('images').length) throw invalid(DOG_TEXTS.altsMax, { alts: DOG_TEXTS.altsMax })
  const { alts } = check(altsSchema, { alts: sent })
  return photos.map(({ at }) => alts[at])
}

/** The dog of a form. All that is wrong is told at once, the missing photo first (docs/product.md §11.4). @throws AppError 422 */
export function readNewDog(
  form: FormData,
  photos: readonly SentPhoto[],
): { input: DogInput; alts: (string | null | undefined)[] } {
  const values = Object.fromEntries(
    Object.keys(dogPatchSchema.shape).flatMap((key) => (form.has(key) ? [[key, form.get(key)]] : [])),
  )
  const wrong: FieldErrors = photos.length > 0 ? {} : { images: DOG_TEXTS.photo }
  const input = gather(wrong, () => check(dogSchema, values))
  const alts = gather(wrong, () => altsOf(form, photos))
  const [first] = Object.values(wrong)
  if (!input || !alts || first !== undefined) throw invalid(first!, wrong)
  return { input, alts }
}

/** What `read` answers, or undefined and its sentences among those of `wrong`. */
function gather<T>(wrong: FieldErrors, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error
    Object.assign(wrong, error.errors)
    return undefined
  }
}
