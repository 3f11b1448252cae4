/** A reported message as the admin reads it. */
export interface ReportedMessage {
  id: string
  text: string
  side: 'member' | 'finder'
  /** Null for a finder without account. */
  writer: { id: string; alias: string } | null
  /** Null for a finder without account, and for who has left. */
  reporter: { id: string; alias: string } | null
  writtenAt: number
  reportedAt: number
}

/** Reported messages of one page. */
export const REPORTED_PAGE_SIZE = 30
