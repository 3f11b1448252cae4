import type { Db } from '#db/client.ts'
import { startRequest } from '#db/request-answers.ts'
import { hashRequestKey } from '#db/request-key.ts'

/** Whether this call is the first with the key of an intent: a page that is asked for twice at once has the cookie twice. */
export const claimIntent = async (db: Db, key: string): Promise<boolean> =>
  (await startRequest(db, hashRequestKey('intent', { sender: 'browser', key }), '')) === undefined
