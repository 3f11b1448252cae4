import { PHOTO_TEXTS, PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
import { AppError, type FieldErrors, invalid } from '#lib/errors.ts'
import { validate } from '#server/endpoint.ts'
import { altsSchema, type DogInput, DOG_TEXTS, dogPatchSchema, dogSchema } from './dog-input.ts'

// What POST /api/dogs and PUT /api/dogs/{id}/images find in their forms.

/** A photo of a form, and its place among all `images`, by which `alts` go with them. */
export interface PhotoPart {
  part: string | File
  at: number
}

/** The `images` parts. A file field left empty sends a nameless part without bytes, which is no photo. @throws AppError 413 for one above 4 MB */
export function readPhotoParts(form: FormData): PhotoPart[] {
  const photos = form
    .getAll('images')
    .map((part, at) => ({ part, at }))
    .filter(({ part }) => (typeof part === 'string' ? part !== '' : part.size > 0 || part.name !== ''))
  if (photos.some(({ part }) => typeof part !== 'string' && part.size > PHOTO_UPLOAD_MAX_BYTES))
    throw new AppError(413, PHOTO_TEXTS.tooHeavy)
  return photos
}

/**
 * What is said of each photo: the n-th `alts` is of the n-th `images`; undefined where there are fewer.
 * @throws AppError 422 with `alts.{n}` for each that is wrong, or `alts` where there are more of them than photos
 */
export function readAlts(form: FormData, photos: readonly PhotoPart[]): (string | null | undefined)[] {
  const sent = form.getAll('alts')
  if (sent.length > form.getAll('images').length) throw invalid(DOG_TEXTS.altsMax, { alts: DOG_TEXTS.altsMax })
  const { alts } = validate(altsSchema, { alts: sent })
  return photos.map(({ at }) => alts[at])
}

/** The dog of a form. All that is wrong is told at once, the missing photo first (docs/product.md §11.4). @throws AppError 422 */
export function readNewDogForm(
  form: FormData,
  photos: readonly PhotoPart[],
): { input: DogInput; alts: (string | null | undefined)[] } {
  const values = Object.fromEntries(
    Object.keys(dogPatchSchema.shape).flatMap((key) => (form.has(key) ? [[key, form.get(key)]] : [])),
  )
  const wrong: FieldErrors = photos.length > 0 ? {} : { images: DOG_TEXTS.photo }
  const input = collectErrors(wrong, () => validate(dogSchema, values))
  const alts = collectErrors(wrong, () => readAlts(form, photos))
  const [first] = Object.values(wrong)
  if (!input || !alts || first !== undefined) throw invalid(first!, wrong)
  return { input, alts }
}

/** What `read` answers, or undefined and its sentences among those of `wrong`. */
function collectErrors<T>(wrong: FieldErrors, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error
    Object.assign(wrong, error.errors)
    return undefined
  }
}
