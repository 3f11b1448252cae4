import { randomBytes, randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { insert } from '#tests/support/rows.ts'

/** A passkey of the member's as a row alone, which nothing can sign for. @returns its id */
export async function addPasskeyRow(
  db: Db,
  userId: string,
  fields: { name?: string; rp_id?: string; created_at?: number } = {},
) {
  const id = randomUUID()
  const random = () => randomBytes(32).toString('base64url')
  await insert(db, 'passkeys', {
    id,
    user_id: userId,
    credential_id: random(),
    public_key: random(),
    counter: 0,
    user_handle: random(),
    rp_id: 'localhost',
    transports: 'internal',
    name: 'Llave 1',
    device: 'Firefox en Windows',
    created_at: Date.now(),
    used_at: null,
    ...fields,
  })
  return id
}
