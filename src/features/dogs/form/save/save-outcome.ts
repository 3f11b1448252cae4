import { PENDING_REVIEW_LABEL } from '#features/moderation/moderation.ts'
import type { Dog } from '#features/dogs/dogs.ts'

/** How saving ended. */
export type SaveOutcome =
  | { kind: 'saved'; dog: Dog; skipped: number; token: string | null }
  /** The server refused: its sentence, its fields. */
  | { kind: 'refused'; status: number; message: string; errors?: Record<string, string> | undefined }
  /** No answer, or none we understand. */
  | { kind: 'broken'; message: string }

export type FormMode = 'add' | 'edit'

/** The row of docs/product.md §21.3 for a save that failed. */
export function saveErrorText(mode: FormMode, outcome: Exclude<SaveOutcome, { kind: 'saved' }>): string {
  const message = outcome.message || 'Error desconocido'
  // An edit has no queue: it stays in the form, and in its draft.
  if (outcome.kind === 'broken')
    return mode === 'add'
      ? `Error inesperado: ${message}`
      : `Error guardando los cambios: ${withFullStop(message)} ${DRAFT_KEPT_TEXT}`
  if (outcome.status === 401) return 'Error: Usuario no autenticado'
  return `${mode === 'add' ? 'Error guardando el perro' : 'Error guardando los cambios'}: ${message}`
}

const DRAFT_KEPT_TEXT = 'Lo que has escrito sigue aquí: vuelve a intentarlo cuando tengas conexión.'
const withFullStop = (sentence: string) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)

/** What the person is told when it worked. */
export const savedText = (mode: FormMode, isVisitor: boolean, waits = false): string =>
  waits
    ? `${PENDING_REVIEW_LABEL}.`
    : mode === 'edit'
      ? 'Cambios guardados'
      : isVisitor
        ? 'Perro añadido. Te llevamos a registrarte para que sea tuyo.'
        : 'Perro añadido'

/** Photos the server could not keep: the dog is saved all the same, but the person must know. */
export const skippedText = (count: number): string =>
  count === 1 ? 'Una foto no se ha podido guardar.' : `${count} fotos no se han podido guardar.`

/** How long the confirmation stays, milliseconds (docs/product.md §11.5). */
export const CLOSE_DELAY_MS = 1000
export const VISITOR_CLOSE_DELAY_MS = 2000
/** A sentence to read: what was typed is safe, but not sent. */
export const QUEUED_CLOSE_DELAY_MS = 2500
