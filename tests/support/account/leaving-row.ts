import type { Trx as Db } from '#db/client.ts'
import { insert } from '#tests/support/rows.ts'

const OF_ACCOUNT = { dogs: 'keep', state: 'waiting', requested_at: 1, due_at: 9e12 } as const

/** The row of an account that waits for its deletion, without hiding anything of it. */
export const addDeletionRow = (db: Db, user_id: string) => insert(db, 'account_deletions', { ...OF_ACCOUNT, user_id })
