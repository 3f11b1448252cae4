import type { FieldErrors } from '#lib/errors.ts'

/** What the edit form shows. */
export interface EditDraft {
  alias: string
  emoji: string
  errors: FieldErrors
  /** What went wrong with the save itself. */
  message: string
  /** The page's address asks for the form (`?editar`): without script it stands open on the page. */
  open: boolean
}
