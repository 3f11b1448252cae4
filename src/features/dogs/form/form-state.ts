import { EMPTY_VALUES, type FieldName, type FormValues, isTouched } from './form-values.ts'
import {
  type GalleryAction,
  galleryReducer,
  hasGalleryChanged,
  type Photo,
  type PhotoDescription,
  sendablePhotos,
  toStoredGalleryPhoto,
} from './photos/gallery.ts'
import { clearErrors, fieldToFocus, type FormErrors, typingErrors } from './validate.ts'

/** `dogId` null: a new dog. `queuedId`: a queued dog of this device. */
export interface FormRequest {
  dogId: string | null
  queuedId: string | null
  /** The name of a breed that is filled in over the dog's own, and a draft's; the form's owner saves it, or does not. */
  breed?: string | undefined
  /** The zone that a new dog begins with, where no draft is recovered. */
  zone?: string | undefined
  /** As `zone`: the member begins as the dog's discoverer. */
  isDiscovery?: boolean
}

/** The dog as it is stored, so that only changes are sent; an empty one for a new dog. */
export interface StoredDog {
  values: FormValues
  photos: readonly PhotoDescription[]
}

/** A field whose text is tidied when the field is left. */
export const TIDY_FIELDS = ['name', 'zone'] as const
export type TidyField = (typeof TIDY_FIELDS)[number]

/** Everything that the form shows. */
export interface FormState {
  request: FormRequest
  phase: 'loading' | 'editing' | 'saving' | 'saved' | 'unavailable'
  values: FormValues
  photos: Photo[]
  stored: StoredDog
  errors: FormErrors
  /** The field that gets the focus after the next render, so that field and error are announced together. */
  focus: { field: FieldName | 'mix' | undefined }
  /** The picker's breeds; null while they load. */
  names: readonly string[] | null
  /** Values and photos come from a draft. */
  isRecovered: boolean
  /** False while the device refuses to store the draft's text. */
  isTextStored: boolean
  /** False once the device refused to store a photo of the draft. */
  arePhotosStored: boolean
  /** What is said of tidied texts, as long as they stay. */
  tidied: Partial<Record<TidyField, { text: string; note: string }>>
  /** Sentences on files of the last choice that are no images. */
  notImages: readonly string[]
  /** How many files of the last choice have no room. */
  refused: number
  /** The breed that the detection chose, while the form has it; '' for none. */
  detectedBreed: string
  /** The person is asked which breed the dog has, before it is saved. */
  isAsking: boolean
  /** The session had ended when the dog was sent. */
  isSignedOut: boolean
  /** The share of the photos that is sent, 0 to 1. */
  progress: number
  /** The confirmation of a save. */
  message: string
  /** The dog was not sent, but is queued on the device. */
  isQueued: boolean
}

export type FormAction =
  /** Other values, of a person or, the breed, of the detection. */
  | { type: 'change'; values: Partial<FormValues>; isDetected: boolean }
  | { type: 'gallery'; change: GalleryAction }
  /** The dog cannot be saved like this. */
  | { type: 'fail'; errors: FormErrors }
  /** The recovered draft gives way to the stored or empty dog. */
  | { type: 'discard' }
  | { type: 'put'; state: Partial<FormState> }

export const emptyFormState = (request: FormRequest): FormState => ({
  request,
  phase: 'loading',
  values: EMPTY_VALUES,
  photos: [],
  stored: { values: EMPTY_VALUES, photos: [] },
  errors: {},
  focus: { field: undefined },
  names: null,
  isRecovered: false,
  isTextStored: true,
  arePhotosStored: true,
  tidied: {},
  notImages: [],
  refused: 0,
  detectedBreed: '',
  isAsking: false,
  isSignedOut: false,
  progress: 0,
  message: '',
  isQueued: false,
})

/** The form's state after an action. */
export function formReducer(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'change': {
      const values = { ...state.values, ...action.values }
      const changed = Object.keys(action.values) as (keyof FormValues)[]
      const wrong = typingErrors(changed, values, state.stored.values)
      // A breed chosen by hand replaces the detection's.
      const detectedBreed = action.isDetected || values.breed === state.detectedBreed ? values.breed : ''
      return { ...state, values, detectedBreed, errors: { ...clearErrors(state.errors, changed), ...wrong } }
    }
    case 'gallery':
      return { ...state, photos: galleryReducer(state.photos, action.change) }
    case 'fail':
      return {
        ...state,
        phase: 'editing',
        errors: action.errors,
        focus: { field: fieldToFocus(action.errors, state.values) },
      }
    case 'discard': {
      const { values, photos } = state.stored
      return {
        ...state,
        values,
        photos: photos.map(toStoredGalleryPhoto),
        detectedBreed: '',
        errors: {},
        isRecovered: false,
      }
    }
    case 'put':
      return { ...state, ...action.state }
  }
}

/** Whether saving would change the gallery. A queued dog's photos are compared with those that are still prepared. */
export const isGalleryChanged = ({ request, photos, stored }: FormState): boolean =>
  hasGalleryChanged(request.queuedId === null ? sendablePhotos(photos) : photos, stored.photos)

/** Whether the form differs from the stored dog. */
export const isDirty = (state: FormState): boolean =>
  isTouched(state.values, state.stored.values) || isGalleryChanged(state)

/** Whether closing the form would lose something, unless the draft has it. */
export const isUnsaved = (state: FormState): boolean =>
  (state.phase === 'editing' || state.phase === 'saving') && isDirty(state)

/** False when closing now would lose input: the queue stores the queued dog itself, and no draft of it. */
export const isSafeToClose = (state: FormState): boolean =>
  !isUnsaved(state) || (state.request.queuedId === null && state.isTextStored && state.arePhotosStored)
