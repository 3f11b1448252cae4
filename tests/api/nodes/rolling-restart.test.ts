import { setTimeout as wait } from 'node:timers/promises'
import { startNodes, type TestNodes } from '#tests/support/nodes/nodes.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import type { TestServer } from '#tests/support/server.ts'
import { assert, call, type Db, dog, seed, signInMember, suite, type TestMember } from '#tests/support/suites.ts'

// One node after the other is stopped and started again, as an update does: behind a balancer nobody notices.

const DRAIN_SECONDS = 1

const rolling = suite<{ nodes: TestNodes; db: Db }>('api/nodes/rolling-restart')

rolling.before(async (t) => {
  t.nodes = await startNodes({ env: { DRAIN_SECONDS: String(DRAIN_SECONDS) } })
  t.db = openServerDatabase(t.nodes)
})
rolling.after(async ({ nodes, db }) => {
  await db.destroy()
  await nodes.dispose()
})

rolling('a node that is told to stop says so, and answers everything else for a while', async ({ nodes }) => {
  const [here] = nodes.nodes
  const stopped = here.stop()
  await wait(200)
  assert.equal((await call(here, '/healthz')).body.detail, 'Este servidor se está cerrando.')
  assert.is((await call(here, '/healthz')).status, 503)
  assert.is((await call(here, '/healthz/live')).status, 200)
  assert.is((await call(here, '/perros')).status, 200)
  assert.is(await stopped, 0)
  await here.restart()
})

/** Reads and likes without pause until it is told to stop. @returns how often, and every answer that is no success */
function sendWithoutPause(balancer: Pick<TestServer, 'url'>, member: TestMember, dogId: string) {
  const state = { isRunning: true }
  let sent = 0
  const failures: string[] = []
  const run = async () => {
    for (let i = 0; state.isRunning; i++) {
      const path = i % 3 === 0 ? `/api/dogs/${dogId}/like` : i % 3 === 1 ? '/perros' : '/api/likes'
      const method = i % 3 === 0 ? (i % 2 ? 'DELETE' : 'PUT') : 'GET'
      const status = await call(balancer as TestServer, path, { method, cookie: member.cookie }).then(
        (answer) => answer.status,
        (error: unknown) => String(error),
      )
      sent++
      if (status !== 200) failures.push(`${method} ${path} ${status}`)
    }
  }
  const running = run()
  return {
    async stop() {
      state.isRunning = false
      await running
      return { sent, failures }
    },
  }
}

rolling('no request fails while both nodes are restarted, one after the other', async ({ nodes, db }) => {
  const [toby] = await seed(db, dog({ name: 'Toby' }))
  const members = await Promise.all([1, 2, 3].map((i) => signInMember(nodes.nodes[0], `socia${i}@ejemplo.es`)))
  const loads = members.map((member) => sendWithoutPause(nodes.balancer, member, toby.id))
  for (const node of nodes.nodes) {
    await wait(300)
    await node.restart()
    // Until the balancer knows.
    await wait(500)
  }
  const reports = await Promise.all(loads.map((load) => load.stop()))
  assert.equal(
    reports.flatMap(({ failures }) => failures),
    [],
  )
  assert.ok(reports.every(({ sent }) => sent > 20))
  assert.is(nodes.balancer.countRefused(), 0)
})
