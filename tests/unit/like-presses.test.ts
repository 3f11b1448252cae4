import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { answer, begin, fail, type Next, type Press, release, tell } from '#features/likes/presses.ts'
import { $hearts, having, heartOf, listed } from '#features/likes/likes.store.ts'

const mine = (liked: boolean, likes: number) => ({ own: true, liked, likes })
const others = (likes: number) => ({ own: false, liked: true, likes })
/** The press that goes on; a test fails where it is over. */
const on = ({ press, show }: Next): Press => {
  assert.ok(press)
  assert.is(show, null)
  return press
}

const presses = suite('like presses')

presses('with no press on its way everything told is shown', () => {
  assert.equal(tell(undefined, others(4)), { press: undefined, show: { likes: 4 } })
  assert.equal(tell(undefined, mine(true, 5)), { press: undefined, show: { liked: true, likes: 5 } })
})

presses('what is told while a press is on its way waits: it may be older', () => {
  const pressed = on(tell(begin(true), others(4)))
  // The server counted the other like and then mine.
  const answered = answer(pressed, { liked: true, likes: 5 })
  assert.equal(answered.show, { liked: true, likes: 5 })
  // A like from before mine comes late; then my own; only then is anything newer.
  const late = on(tell(answered.press, others(4)))
  assert.equal(tell(late, mine(true, 5)), { press: undefined, show: { liked: true, likes: 5 } })
})

presses('its own event may come before the answer, and newer ones too', () => {
  const told = on(tell(on(tell(begin(true), mine(true, 5))), others(6)))
  assert.equal(answer(told, { liked: true, likes: 5 }), { press: undefined, show: { liked: true, likes: 6 } })
})

presses('another device may take it back before the answer', () => {
  const told = on(tell(on(tell(begin(true), mine(true, 5))), mine(false, 4)))
  assert.equal(answer(told, { liked: true, likes: 5 }).show, { liked: false, likes: 4 })
})

presses('an event of an earlier press is not taken for this one’s', () => {
  const first = answer(begin(true), { liked: true, likes: 1 }).press
  const second = answer(begin(false, first), { liked: false, likes: 0 }).press
  const third = begin(true, second)
  const waits = on(tell(on(tell(third, mine(true, 1))), mine(false, 0)))
  const answered = answer(waits, { liked: true, likes: 1 })
  assert.equal(answered.show, { liked: true, likes: 1 })
  assert.equal(tell(answered.press, mine(true, 1)), { press: undefined, show: { liked: true, likes: 1 } })
})

presses('a failed press goes back to what was, or to what was told since', () => {
  const before = { liked: false, likes: 3 }
  assert.equal(fail(begin(true), before), { press: undefined, show: before })
  assert.equal(fail(on(tell(begin(true), others(4))), before).show, { liked: false, likes: 4 })
  // The answer was lost, the like was not.
  assert.equal(fail(on(tell(begin(true), mine(true, 4))), before).show, { liked: true, likes: 4 })
})

presses('where no event comes, because another tab was first, what waited is shown in the end', () => {
  const { press } = answer(begin(true), { liked: true, likes: 5 })
  assert.is(release(press!).show, null)
  assert.equal(release(on(tell(press, others(6)))), { press: undefined, show: { likes: 6 } })
})

presses.run()

const hearts = suite('hearts')
const empty = { liked: null, counts: {}, resting: new Set<string>() }

hearts('before a script knows better, a heart shows what the server rendered', () => {
  const rendered = { liked: true, likes: 7 }
  assert.equal(heartOf(empty, 'a', rendered), { liked: true, likes: 7, resting: false })
  assert.is(heartOf({ ...empty, liked: new Set() }, 'a', rendered).liked, false)
  assert.is(heartOf({ ...empty, counts: { a: { now: 8, at: 0 } } }, 'a', rendered).likes, 8)
  assert.is(heartOf({ ...empty, counts: { b: { now: 8, at: 0 } } }, 'a', rendered).likes, 7)
})

hearts('a set with or without one', () => {
  assert.equal([...having(null, 'a', true)], ['a'])
  assert.equal([...having(new Set(['a', 'b']), 'a', false)], ['b'])
})

hearts('a list from the server knows what was learnt before it was asked for, and not what came since', () => {
  $hearts.set({ ...empty, counts: { a: { now: 1, at: 10 }, b: { now: 2, at: 30 }, c: { now: 3, at: 10 } } })
  listed(['a', 'b'], 20)
  assert.equal($hearts.get().counts, { b: { now: 2, at: 30 }, c: { now: 3, at: 10 } })
})

hearts.run()
