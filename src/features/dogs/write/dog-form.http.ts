import { PHOTO_TEXTS, PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
import { AppError, type FieldErrors, invalid } from '#lib/errors.ts'
import { validate } from '#server/endpoint.ts'
import { DOG_TEXTS, type DogInput } from './dog-fields.ts'
import { altsSchema, dogPatchSchema, dogSchema } from './dog-input.ts'

// Reads the forms of POST /api/dogs and PUT /api/dogs/{id}/images.

/** A photo of a form with its position among all `images`, which pairs it with its `alts`. */
export interface PhotoPart {
  part: string | File
  index: number
}

/** The `images` parts, without the nameless empty part that an empty file field sends. @throws AppError 413 for one above 4 MB */
export function readPhotoParts(form: FormData): PhotoPart[] {
  const photos = form
    .getAll('images')
    .map((part, index) => ({ part, index }))
    .filter(({ part }) => (typeof part === 'string' ? part !== '' : part.size > 0 || part.name !== ''))
  if (photos.some(({ part }) => typeof part !== 'string' && part.size > PHOTO_UPLOAD_MAX_BYTES))
    throw new AppError(413, PHOTO_TEXTS.tooHeavy)
  return photos
}

/**
 * The description of each photo: the n-th `alts` belongs to the n-th `images`; undefined where there are fewer.
 * @throws AppError 422 with `alts.{n}` for each invalid one, or `alts` for more descriptions than photos
 */
export function readAlts(form: FormData, photos: readonly PhotoPart[]): (string | null | undefined)[] {
  const sent = form.getAll('alts')
  if (sent.length > form.getAll('images').length) throw invalid(DOG_TEXTS.altsMax, { alts: DOG_TEXTS.altsMax })
  const { alts } = validate(altsSchema, { alts: sent })
  return photos.map(({ index }) => alts[index])
}

/** The dog of a form. @throws AppError 422 with every error index once, the missing photo first (docs/product.md §11.4) */
export function readNewDogForm(
  form: FormData,
  photos: readonly PhotoPart[],
): { input: DogInput; alts: (string | null | undefined)[] } {
  const values = Object.fromEntries(
    Object.keys(dogPatchSchema.shape).flatMap((key) => (form.has(key) ? [[key, form.get(key)]] : [])),
  )
  const errors: FieldErrors = photos.length > 0 ? {} : { images: DOG_TEXTS.photo }
  const input = collectErrors(errors, () => validate(dogSchema, values))
  const alts = collectErrors(errors, () => readAlts(form, photos))
  const [first] = Object.values(errors)
  if (!input || !alts || first !== undefined) throw invalid(first!, errors)
  return { input, alts }
}

/** The result of `read`; undefined where it throws field errors, which are added to `errors`. */
function collectErrors<T>(errors: FieldErrors, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error
    Object.assign(errors, error.errors)
    return undefined
  }
}
