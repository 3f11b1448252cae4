import type { Trx as Db } from '#db/client.ts'
import { type ChangeFeed, openChangeFeed } from '#app/page-cache/change-feed.ts'
import { postgresUrlOf } from '#tests/support/postgres/databases.ts'

/** The change feed of a node, and how often it has read. */
export interface FeedNode {
  feed: ChangeFeed
  reads: () => number
}

/** @param url for the connection that listens, by default the database's */
export async function openFeedNode(db: Db, pollIntervalMs: number, url?: string): Promise<FeedNode> {
  let reads = 0
  const feed = await openChangeFeed(db, {
    url: url ?? (await postgresUrlOf(db)),
    onRead: () => reads++,
    pollIntervalMs,
  })
  return { feed, reads: () => reads }
}
