import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FairQueue } from '#features/photos/decode/fair-queue.ts'

/** Takes everything out. */
function takeAll(line: Pick<FairQueue<string>, 'shift'>): string {
  const taken: string[] = []
  for (let item = line.shift(); item !== undefined; item = line.shift()) taken.push(item)
  return taken.join(' ')
}

const fairQueue = suite('unit/photos/fair-queue')

fairQueue('one sender’s tasks keep their order', () => {
  const line = new FairQueue<string>()
  assert.is(line.shift(), undefined)
  for (const item of ['a1', 'a2', 'a3']) line.push('a', item)
  assert.is(line.size, 3)
  assert.is(takeAll(line), 'a1 a2 a3')
  assert.is(line.size, 0)
})

fairQueue('senders take turns, however many tasks one has', () => {
  const line = new FairQueue<string>()
  for (let n = 1; n <= 5; n++) line.push('a', `a${n}`)
  line.push('b', 'b1')
  line.push('c', 'c1')
  line.push('b', 'b2')
  assert.is(takeAll(line), 'a1 b1 c1 a2 b2 a3 a4 a5')
})

fairQueue('a newcomer waits for one task of each sender at most', () => {
  const line = new FairQueue<string>()
  for (const sender of ['a', 'b']) for (let n = 1; n <= 3; n++) line.push(sender, sender + n)
  assert.is(line.shift(), 'a1')
  line.push('c', 'c1')
  assert.is(takeAll(line), 'b1 a2 c1 b2 a3 b3')
})

fairQueue('a sender that returns after its last task is behind the others', () => {
  const line = new FairQueue<string>()
  line.push('a', 'a1')
  line.push('b', 'b1')
  assert.is(line.shift(), 'a1')
  line.push('a', 'a2')
  assert.is(takeAll(line), 'b1 a2')
})

fairQueue('a task removed from any position is not run, and no other loses its turn', () => {
  const line = new FairQueue<string>()
  for (const [sender, item] of [
    ['a', 'a1'],
    ['a', 'a2'],
    ['a', 'a3'],
    ['b', 'b1'],
    ['c', 'c1'],
  ] as const)
    line.push(sender, item)
  assert.ok(line.remove('a', 'a2'))
  assert.ok(line.remove('b', 'b1'))
  assert.is(line.size, 3)
  // Taken already, never there, or another owner's.
  for (const [sender, item] of [
    ['a', 'a2'],
    ['b', 'b1'],
    ['nobody', 'a1'],
    ['c', 'a1'],
  ] as const)
    assert.not.ok(line.remove(sender, item), `${sender} ${item}`)
  assert.is(takeAll(line), 'a1 c1 a3')
})

fairQueue(
  'the newest task of the largest network is evicted, the newcomer among equals, and never a spared network’s',
  () => {
    const line = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) line.push(item[0]!, item)
    assert.is(line.removeFromLongest('c', ''), 'a3')
    assert.is(line.removeFromLongest('b', ''), 'b2')
    assert.is(line.removeFromLongest('c', 'a'), 'c1')
    assert.is(takeAll(line), 'a1 b1 a2')
    assert.is(line.removeFromLongest('a', ''), undefined)
  },
)

fairQueue.run()
