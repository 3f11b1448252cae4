/** A section of a legal text. A paragraph that is a list of strings is shown as a list. */
export interface LegalSection {
  title: string
  body: (string | string[])[]
}

export interface LegalDocument {
  /** The page's name in addresses and the dialog's id. */
  id: 'terminos' | 'privacidad'
  title: string
  /** One sentence under the title. */
  summary: string
  sections: LegalSection[]
}

/** Both texts say when they were last changed. */
export const LEGAL_UPDATED = '22 de noviembre de 2026'
