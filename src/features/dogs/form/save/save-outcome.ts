import { PENDING_REVIEW_LABEL } from '#features/moderation/moderation.ts'
import type { Dog } from '#features/dogs/dogs.ts'

/** The outcome of a save. */
export type SaveOutcome =
  | { kind: 'saved'; dog: Dog; skipped: number; token: string | null }
  /** The server refused, with its message and field errors. */
  | { kind: 'refused'; status: number; message: string; errors?: Record<string, string> | undefined }
  /** No response, or an unreadable one. */
  | { kind: 'broken'; message: string }

export type FormMode = 'add' | 'edit'

/** The row of docs/product.md §21.3 for a save that failed. */
export function saveErrorText(mode: FormMode, outcome: Exclude<SaveOutcome, { kind: 'saved' }>): string {
  const message = outcome.message || 'Error desconocido'
  // Edits are not queued: the input stays in the form and its draft.
  if (outcome.kind === 'broken')
    return mode === 'add'
      ? `Error inesperado: ${message}`
      : `Error guardando los cambios: ${withFullStop(message)} ${DRAFT_KEPT_TEXT}`
  if (outcome.status === 401) return 'Error: Usuario no autenticado'
  // An answer that is no JSON, as a proxy's.
  if (!outcome.message) return `Error inesperado: ${message}`
  return `${mode === 'add' ? 'Error guardando el perro' : 'Error guardando los cambios'}: ${message}`
}

const DRAFT_KEPT_TEXT = 'Lo que has escrito sigue aquí: vuelve a intentarlo cuando tengas conexión.'
const withFullStop = (sentence: string) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)

/** The confirmation of a save. */
export const savedText = (mode: FormMode, isVisitor: boolean, { waits, in_review }: Partial<Dog> = {}): string =>
  waits
    ? `${PENDING_REVIEW_LABEL}.`
    : in_review
      ? 'Guardado. Un texto lo revisaremos antes de publicarlo: mientras, sigue el de antes.'
      : mode === 'edit'
        ? 'Cambios guardados'
        : isVisitor
          ? 'Perro añadido. Te llevamos a registrarte para que sea tuyo.'
          : 'Perro añadido'

/** The error for photos that the server skipped, although it saved the dog. */
export const skippedText = (count: number): string =>
  count === 1 ? 'Una foto no se ha podido guardar.' : `${count} fotos no se han podido guardar.`

/** How long the confirmation stays (docs/product.md §11.5). */
export const CLOSE_DELAY_MS = 1000
export const VISITOR_CLOSE_DELAY_MS = 2000
/** Longer, since the text is: the dog is stored on the device but not sent. */
export const QUEUED_CLOSE_DELAY_MS = 2500
