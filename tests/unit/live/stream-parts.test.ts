import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodeBatch } from '#features/live/frames.server.ts'
import { type EventRow, MISSED_MAX_EVENTS, missedEvents, publish } from '#features/live/live.server.ts'
import { StreamRegistry } from '#features/live/streams.server.ts'
import { ThrottledTask } from '#features/live/throttled-task.server.ts'
import { listStoredIds } from '#tests/support/live/hub-suite.ts'
import { assert, dbSuite } from '#tests/support/suites.ts'
const parts = dbSuite('unit/live/stream-parts')

const NO_BLOCKED_IDS: ReadonlySet<string> = new Set()
const forAll = (id: number): EventRow => ({
  id,
  type: 'dog',
  user_id: null,
  actor_id: null,
  data: `{"n":${id}}`,
})
const forMember = (id: number, user_id: string): EventRow => ({ ...forAll(id), type: 'notification', user_id })
const commentBy = (id: number, author: string): EventRow => ({
  ...forAll(id),
  type: 'comment',
  actor_id: author,
  data: JSON.stringify({ id, comment: { user_id: author } }),
})

class FakeResponse extends EventEmitter {
  written = ''
  destroyed = false
  write(text: string, done?: () => void): boolean {
    this.written += text
    done?.()
    return true
  }
}
const request = {} as IncomingMessage
const fakeResponse = () => {
  const fake = new FakeResponse()
  return { fake, res: fake as unknown as ServerResponse }
}

parts('a batch is encoded once for all readers without events of their own', () => {
  const framesFor = encodeBatch([forAll(1), forMember(2, 'ana'), commentBy(3, 'luis')])
  const [visitor] = framesFor(null)
  assert.is(framesFor({ id: 'eva', blockedIds: NO_BLOCKED_IDS })[0], visitor)
  const idsIn = (buffers: readonly Buffer[]) =>
    [
      ...Buffer.concat(buffers)
        .toString()
        .matchAll(/^id: (\d+)$/gm),
    ].map(([, id]) => Number(id))
  assert.equal(idsIn([visitor!]), [1, 3])
  assert.equal(idsIn(framesFor({ id: 'ana', blockedIds: NO_BLOCKED_IDS })), [1, 2, 3])
  assert.equal(idsIn(framesFor({ id: 'eva', blockedIds: new Set(['luis']) })), [1])
})

parts('an event is parsed once, however many members with blocks have a stream', () => {
  let reads = 0
  const rows = [1, 2, 3].map((id): EventRow => {
    const { data, ...row } = commentBy(id, id === 2 ? 'luis' : 'eva')
    return {
      ...row,
      get data() {
        reads++
        return data
      },
    }
  })
  const framesFor = encodeBatch(rows)
  const readers = Array.from({ length: 50 }, (_, n) => ({ id: `member ${n}`, blockedIds: new Set(['luis', `${n}`]) }))
  assert.equal(
    readers.map((reader) => framesFor(reader).length),
    readers.map(() => 2),
  )
  assert.is(reads, rows.length)
})

parts('what a reader has missed is little and complete, or loaded again', async ({ db }) => {
  const tell = (id: string) => publish(db, { type: 'dog', dogId: id, action: 'removed' })
  for (const id of ['a', 'b', 'c']) await tell(id)
  const [first, second, third] = (await listStoredIds(db)) as [number, number, number]
  const idsOf = async (position: number, head: number) => (await missedEvents(db, position, head))?.map(({ id }) => id)
  assert.equal(await idsOf(first - 1, second), [first, second], 'up to the head')
  assert.equal(await idsOf(second, third), [third])
  assert.is(await idsOf(first - 2, third), undefined, 'some may have been deleted')
  await tell('x'.repeat(70_000))
  assert.is(await idsOf(third, Number.MAX_SAFE_INTEGER), undefined, 'too large')
  const head = (await listStoredIds(db)).at(-1)!
  for (let n = 0; n < MISSED_MAX_EVENTS; n++) await tell(String(n))
  assert.is((await idsOf(head, Number.MAX_SAFE_INTEGER))?.length, MISSED_MAX_EVENTS)
  await tell('one more')
  assert.is(await idsOf(head, Number.MAX_SAFE_INTEGER), undefined, 'too many')
})

parts('where all streams are taken, the site with most gives one up: the oldest of a visitor', () => {
  const streams = new StreamRegistry(6, 4)
  const open = (site: string) => {
    const { fake, res } = fakeResponse()
    const ended = { count: 0 }
    res.destroy = () => {
      ended.count++
      return res
    }
    assert.ok(streams.makeRoom(site))
    return { stream: streams.open(request, res, site), fake, ended }
  }
  const many = ['many', 'many', 'many', 'many'].map(open)
  const few = ['few', 'few'].map(open)
  const ana = streams.assignMember(many[0]!.stream, 'ana')!
  streams.live.add(many[1]!.stream)
  assert.not.ok(streams.makeRoom('many'), 'a site takes nothing from itself')
  const first = open('new')
  assert.equal(
    many.map(({ ended }) => ended.count),
    [0, 1, 0, 0],
  )
  assert.is(streams.live.size, 0)
  // Its close, which follows, is not counted again.
  many[1]!.fake.emit('close')
  assert.not.ok(streams.makeRoom('few'), 'sites of nearly the same size take nothing from each other')
  open('another')
  assert.equal(
    [...many, ...few, first].map(({ ended }) => ended.count),
    [0, 1, 1, 0, 0, 0, 0],
  )
  assert.not.ok(streams.makeRoom('few'))
  assert.not.ok(streams.makeRoom('many'))
  assert.is(ana.streamCount, 1)
})

parts('a stream counts for its network and its member until its response closes', () => {
  const streams = new StreamRegistry(3, 2)
  const responses = [fakeResponse(), fakeResponse()]
  const [first, second] = responses.map(({ res }) => streams.open(request, res, 'n'))
  assert.equal([streams.makeRoom('n'), streams.makeRoom('other')], [false, true])
  const member = streams.assignMember(first!, 'ana')!
  assert.is(streams.assignMember(second!, 'ana'), member)
  streams.live.add(first!)
  responses[0]!.fake.emit('close')
  assert.equal([streams.live.size, member.streamCount, streams.makeRoom('n')], [0, 1, true])
  responses[1]!.fake.emit('close')
  const third = streams.open(request, fakeResponse().res, 'n')
  assert.is.not(streams.assignMember(third, 'ana'), member, 'nothing is remembered of a member without streams')
})

parts('a throttled task runs once at a time, once more for wakes meanwhile, and not after its end', async () => {
  let runs = 0
  let finish = () => {}
  let started = () => {}
  const task = new ThrottledTask({
    intervalMs: 0,
    run: () => {
      runs++
      started()
      return new Promise((resolve) => (finish = () => resolve(false)))
    },
  })
  const nextRun = () => new Promise<void>((resolve) => (started = resolve))
  const first = nextRun()
  task.wake()
  task.wake()
  await first
  task.wake()
  task.wake()
  assert.is(runs, 1)
  const second = nextRun()
  finish()
  await second
  assert.is(runs, 2)
  task.stop()
  task.wake()
  finish()
  await new Promise((resolve) => setImmediate(resolve))
  // A timer that was started before this one's would have fired by now.
  await new Promise<void>((resolve) => {
    const later = new ThrottledTask({ intervalMs: 0, run: async () => (resolve(), false) })
    later.wake()
  })
  assert.is(runs, 2)
})
