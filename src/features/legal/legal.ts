/** A section of a legal text. A string is a paragraph; an array of strings is a list. */
export interface LegalSection {
  title: string
  body: (string | string[])[]
}

export interface LegalDocument {
  /** The page's slug, and the dialog's id. */
  id: 'terminos' | 'privacidad'
  title: string
  /** One sentence under the title. */
  summary: string
  sections: LegalSection[]
}

/** Date of the last change, shown on both texts. */
export const LEGAL_UPDATED = '26 de noviembre de 2026'
