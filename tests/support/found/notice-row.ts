import { randomUUID } from 'node:crypto'
import type { Trx as Db } from '#db/client.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { insert } from '#tests/support/rows.ts'

/** A visitor's notice of a dog found in Madrid, as a row without a photo. @returns its id */
export async function addNotice(db: Db, fields: object = {}): Promise<string> {
  const id = randomUUID()
  const now = Date.now()
  await insert(db, 'found_notices_all', {
    id,
    member_id: null,
    secret_hash: 'x',
    request_key: null,
    found_at: now - HOUR_MS,
    zone: 'Madrid, Madrid',
    province: '28',
    shown_lat: 40.4268,
    shown_lon: -3.7038,
    size: null,
    breed_slug: null,
    coat: '',
    collar: '',
    words: '',
    question: '',
    created_at: now,
    expires_at: now + DAY_MS,
    ...fields,
  })
  return id
}
