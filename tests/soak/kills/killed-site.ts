import { startBalancer } from '#tests/support/nodes/balancer.ts'
import { createPostgresDatabase } from '#tests/support/postgres/databases.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import type { ServerData } from '#tests/support/server-database.ts'

/** A site whose processes are killed. */
export interface KilledSite {
  /** Where requests go; its `dataDir` and `databaseUrl` are the site's. */
  front: TestServer
  /** Kills at least one process, and ends the others as an operator does. */
  kill: () => Promise<void>
  restart: () => Promise<void>
  dispose: () => Promise<void>
}

/** One process. */
export async function startSingleSite(env: Record<string, string>): Promise<KilledSite> {
  const front = await startServer(env)
  return { front, kill: front.kill, restart: front.restart, dispose: front.dispose }
}

/** Time in which requests find the node that is left, ms. */
const SURVIVOR_MS = 300

/** Two nodes behind a balancer, over a PostgreSQL and one folder of photos. One is killed, and by chance the other one too. */
export async function startTwoNodeSite(env: Record<string, string>, chance: () => number): Promise<KilledSite> {
  const database = await createPostgresDatabase()
  const first = await startServer({ ...env, DATABASE_URL: database.url })
  const second = await startServer({ ...env, DATABASE_URL: database.url, DATA_DIR: first.dataDir })
  const nodes = [first, second] as const
  const balancer = await startBalancer(nodes.map(({ url }) => Number(new URL(url).port)))
  const data: ServerData = { dataDir: first.dataDir, databaseUrl: database.url }
  return {
    front: { ...first, ...data, url: balancer.url },
    async kill() {
      const [victim, other] = chance() < 0.5 ? nodes : nodes.toReversed()
      await victim?.kill()
      await new Promise((done) => setTimeout(done, SURVIVOR_MS))
      if (chance() < 0.5) await other?.kill()
      else await other?.stop()
    },
    restart: async () => void (await Promise.all(nodes.map((node) => node.restart()))),
    async dispose() {
      await balancer.close()
      for (const node of nodes) await node.dispose()
      await database.drop()
    },
  }
}
