import { openEventStream, type StreamEvent } from '#tests/support/live/event-stream.ts'
import { startNodes, type TestNodes } from '#tests/support/nodes/nodes.ts'
import { openServerDatabase } from '#tests/support/server-database.ts'
import { assert, call, type Db, dog, seed, signInMember, suite, type TestMember } from '#tests/support/suites.ts'

// /api/events over two nodes: what is published on one is heard on both, and a reader who comes back may come to the other.

const events = suite<{ nodes: TestNodes; db: Db; members: TestMember[]; dogId: string }>('api/nodes/live-events')

const MEMBERS = 8

events.before(async (t) => {
  t.nodes = await startNodes()
  t.db = openServerDatabase(t.nodes)
  t.members = await Promise.all(
    Array.from({ length: MEMBERS }, (_, i) => signInMember(t.nodes.nodes[0], `socia${i}@ejemplo.es`)),
  )
  const [toby] = await seed(t.db, dog({ name: 'Toby' }))
  t.dogId = toby.id
})
events.after(async ({ nodes, db }) => {
  await db.destroy()
  await nodes.dispose()
})

/** A comment of each member, on either node, all at once. @returns their ids */
async function commentAtOnce(
  { nodes, members, dogId }: { nodes: TestNodes; members: TestMember[]; dogId: string },
  text: string,
) {
  const answers = await Promise.all(
    members.map(({ cookie }, i) =>
      call(nodes.nodes[i % 2]!, `/api/dogs/${dogId}/comments`, {
        method: 'POST',
        cookie,
        json: { content: `${text} ${i}` },
      }),
    ),
  )
  assert.equal([...new Set(answers.map(({ status }) => status))], [201])
  return answers.map(({ body }) => body.comment.id as string)
}

/** Ids of the comments that a reader has heard of. */
const heardComments = (told: readonly StreamEvent[]) =>
  told.flatMap(({ data }) => (data?.comment?.id ? [data.comment.id as string] : []))

events('a reader of either node hears what both publish', async (t) => {
  const readers = await Promise.all(t.nodes.nodes.map((node) => openEventStream(`${node.url}/api/events`)))
  const ids = await commentAtOnce(t, 'Hola')
  for (const reader of readers) {
    await reader.until((told) => ids.every((id) => heardComments(told).includes(id)))
    assert.equal(heardComments(reader.told).toSorted(), ids.toSorted(), 'each once')
    reader.close()
  }
})

events('a reader who changes nodes all the time misses nothing and hears nothing twice', async (t) => {
  const heard: string[] = []
  const ids: string[] = []
  const first = await openEventStream(`${t.nodes.nodes[0].url}/api/events`)
  let lastId = first.lastId()
  first.close()
  for (let round = 0; round < 6; round++) {
    // Opened while they are being written.
    const writing = commentAtOnce(t, `Vuelta ${round}`)
    const node = t.nodes.nodes[round % 2]!
    const reader = await openEventStream(`${node.url}/api/events`, { 'Last-Event-ID': String(lastId) })
    ids.push(...(await writing))
    if (round === 5) await reader.until((told) => ids.every((id) => [...heard, ...heardComments(told)].includes(id)))
    lastId = reader.lastId()
    heard.push(...heardComments(reader.told))
    reader.close()
  }
  assert.equal(heard.toSorted(), ids.toSorted())
})
