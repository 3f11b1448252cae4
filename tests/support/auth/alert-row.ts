import { randomBytes, randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { hashSecret } from '#features/secrets/secrets.server.ts'
import { insert } from '#tests/support/rows.ts'

/** Stores that a session was opened on a new device. @returns the secret of its mail's link */
export async function addAlertRow(
  db: Db,
  userId: string,
  { sessionId, email = null, now = Date.now() }: { sessionId: string; email?: string | null; now?: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insert(db, 'sign_in_alerts', {
    id: randomUUID(),
    user_id: userId,
    session_id: sessionId,
    device_id: randomUUID(),
    device: 'Firefox en Linux',
    email,
    token_hash: hashSecret(token),
    created_at: now,
    try_at: now,
    sent_at: now,
    used_at: null,
  })
  return token
}
