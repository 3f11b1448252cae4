import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPostgresDatabase } from '../postgres/databases.ts'
import { startServer, type TestServer } from '../server.ts'
import type { ServerData } from '../server-database.ts'
import { startBucket, type TestBucket } from '../storage/bucket.ts'
import { type Balancer, startBalancer } from './balancer.ts'

/** Several processes over one PostgreSQL and one bucket. */
export interface TestNodes extends ServerData {
  nodes: readonly [TestServer, TestServer, ...TestServer[]]
  bucket: TestBucket
  /** In front of all nodes. */
  balancer: Balancer
  dispose: () => Promise<void>
}

interface NodesOptions {
  count?: number
  env?: Record<string, string>
}

/** A data folder for each node, with the keys of the first, as docs/operations.md has the operator copy them. */
function createFolders(count: number): string[] {
  const keys = ['sign-in.key', 'riddle.key'].map((name) => [name, randomBytes(32).toString('base64url')] as const)
  return Array.from({ length: count }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'perrario-test-'))
    for (const [name, key] of keys) writeFileSync(join(folder, name), key, { mode: 0o600 })
    return folder
  })
}

/** Starts the nodes at the same time, over an empty, migrated database. */
export async function startNodes({ count = 2, env = {} }: NodesOptions = {}): Promise<TestNodes> {
  const database = await createPostgresDatabase()
  const bucket = await startBucket()
  const settings = { DATABASE_URL: database.url, PAGE_CACHE_POLL_MS: '1000', ...bucket.env, ...env }
  const nodes = await Promise.all(createFolders(count).map((DATA_DIR) => startServer({ ...settings, DATA_DIR })))
  const [first, second, ...others] = nodes
  if (!first || !second) throw new Error('one node is no node')
  const balancer = await startBalancer(nodes.map(({ url }) => Number(new URL(url).port)))
  return {
    dataDir: first.dataDir,
    databaseUrl: database.url,
    nodes: [first, second, ...others],
    bucket,
    balancer,
    async dispose() {
      await balancer.close()
      await Promise.all(nodes.map((node) => node.dispose()))
      await bucket.dispose()
      await database.drop()
    },
  }
}
