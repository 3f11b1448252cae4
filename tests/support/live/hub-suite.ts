import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { Trx as Db } from '#db/client.ts'
import { type Hub, openHub } from '#features/live/hub.server.ts'
import { publish } from '#features/live/live.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { openEventStream, type StreamReader } from '#tests/support/live/event-stream.ts'
import { suite } from '#tests/support/suites.ts'

export interface World {
  db: Db
  hub: Hub
  url: string
  server: Server
  readers: StreamReader[]
  /** Users whose `x-user` header no longer identifies them. */
  signedOut: Set<string>
}

/** A suite whose tests each have a hub over HTTP, with fast ticks. */
export function hubSuite(name: string) {
  const live = suite<World>(name)
  live.before.each(async (w) => {
    w.db = freshDb()
    w.readers = []
    w.signedOut = new Set()
    w.hub = await openHub(w.db, {
      tickMs: 5,
      identify: async (req) => {
        const user = req.headers['x-user']
        return typeof user === 'string' && !w.signedOut.has(user) ? user : null
      },
    })
    w.server = createServer((req, res) => w.hub.handle(req, res, '127.0.0.1', () => res.writeHead(404).end()))
    w.server.listen(0, '127.0.0.1')
    await once(w.server, 'listening')
    w.url = `http://127.0.0.1:${(w.server.address() as { port: number }).port}/api/events`
  })
  live.after.each(async (w) => {
    for (const reader of w.readers) reader.close()
    w.hub.close()
    w.server.closeAllConnections()
    w.server.close()
    await w.db.destroy()
  })
  return live
}

export const connectReader = async (w: World, headers: Record<string, string> = {}, query = '') => {
  const reader = await openEventStream(w.url + query, headers)
  w.readers.push(reader)
  return reader
}
export const publishDogRemoved = (db: Db, id: string) => publish(db, { type: 'dog', dogId: id, action: 'removed' })
/** The ids of the stored events, in order: PostgreSQL leaves gaps between them. */
export const listStoredIds = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('events').select('id').orderBy('id').execute()).map(({ id }) => id)
export const listIds = (reader: StreamReader) => reader.told.map((event) => event.data.id)
