import type { Trx as Db } from '#db/client.ts'
import { type ChangeFeed, openChangeFeed } from '#app/page-cache/change-feed.ts'
import { COUNT_CHANGE_PREFIX } from '#server/cache-tags.ts'
import { postgresUrlOf } from '#tests/support/postgres/databases.ts'

/** The change feed of a node, and what it has heard. */
export interface FeedNode {
  feed: ChangeFeed
  tags: Set<string>
  clears: () => number
}

/** @param url for the connection that listens, by default the database's */
export async function openFeedNode(db: Db, pollIntervalMs: number, url?: string): Promise<FeedNode> {
  const tags = new Set<string>()
  let clears = 0
  const feed = await openChangeFeed(db, {
    url: url ?? (await postgresUrlOf(db)),
    holo: { likes: 1, rank: 2 },
    invalidate: (tag) => tags.add(tag.replace(COUNT_CHANGE_PREFIX, '')),
    clear: () => clears++,
    pollIntervalMs,
  })
  return { feed, tags, clears: () => clears }
}
