import type { Db } from '#db/client.ts'
import { DAY_MS } from '#lib/time.ts'
import { EVIDENCE_DAYS } from './contact.ts'

/** Deletes reported messages that are older than EVIDENCE_DAYS. @returns rows deleted */
export async function deleteExpiredEvidence(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('contact_evidence')
    .where('created_at', '<', now - EVIDENCE_DAYS * DAY_MS)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
