import {
  applyAnswer,
  beginPress,
  failPress,
  type PressStep,
  type Press,
  releasePress,
  applyLikeUpdate,
} from '#features/likes/like-reconciler.ts'
import { $hearts, withOrWithout, heartState, discardStaleCounts } from '#features/likes/likes.store.ts'
import { assert, suite } from '#tests/support/suites.ts'

const mine = (liked: boolean, likes: number) => ({ isOwn: true, liked, likes })
const others = (likes: number) => ({ isOwn: false, liked: true, likes })
/** The press that goes on; a test fails where it is over. */
const on = ({ press, show }: PressStep): Press => {
  assert.ok(press)
  assert.is(show, null)
  return press
}

const presses = suite('unit/likes/like-reconciler: presses')

presses('without a request in flight every published state is shown', () => {
  assert.equal(applyLikeUpdate(undefined, others(4)), { press: undefined, show: { likes: 4 } })
  assert.equal(applyLikeUpdate(undefined, mine(true, 5)), { press: undefined, show: { liked: true, likes: 5 } })
})

presses('a state published during a request is deferred, because it may be older', () => {
  const pressed = on(applyLikeUpdate(beginPress(true), others(4)))
  // The server counted the other like and then mine.
  const answered = applyAnswer(pressed, { liked: true, likes: 5 })
  assert.equal(answered.show, { liked: true, likes: 5 })
  // A like from before mine comes late; then my own; only then is anything newer.
  const late = on(applyLikeUpdate(answered.press, others(4)))
  assert.equal(applyLikeUpdate(late, mine(true, 5)), { press: undefined, show: { liked: true, likes: 5 } })
})

presses('its own event may come before the response, and newer ones too', () => {
  const told = on(applyLikeUpdate(on(applyLikeUpdate(beginPress(true), mine(true, 5))), others(6)))
  assert.equal(applyAnswer(told, { liked: true, likes: 5 }), { press: undefined, show: { liked: true, likes: 6 } })
})

presses('another device may unlike before the response', () => {
  const told = on(applyLikeUpdate(on(applyLikeUpdate(beginPress(true), mine(true, 5))), mine(false, 4)))
  assert.equal(applyAnswer(told, { liked: true, likes: 5 }).show, { liked: false, likes: 4 })
})

presses('an event of an earlier press is not mistaken for this one’s', () => {
  const first = applyAnswer(beginPress(true), { liked: true, likes: 1 }).press
  const second = applyAnswer(beginPress(false, first), { liked: false, likes: 0 }).press
  const third = beginPress(true, second)
  const waits = on(applyLikeUpdate(on(applyLikeUpdate(third, mine(true, 1))), mine(false, 0)))
  const answered = applyAnswer(waits, { liked: true, likes: 1 })
  assert.equal(answered.show, { liked: true, likes: 1 })
  assert.equal(applyLikeUpdate(answered.press, mine(true, 1)), { press: undefined, show: { liked: true, likes: 1 } })
})

presses('a failed press returns to the previous state, or to the one published since', () => {
  const before = { liked: false, likes: 3 }
  assert.equal(failPress(beginPress(true), before), { press: undefined, show: before })
  assert.equal(failPress(on(applyLikeUpdate(beginPress(true), others(4))), before).show, { liked: false, likes: 4 })
  // The answer was lost, the like was not.
  assert.equal(failPress(on(applyLikeUpdate(beginPress(true), mine(true, 4))), before).show, { liked: true, likes: 4 })
})

presses('if its event does not come, because another tab was first, the deferred state is shown in the end', () => {
  const { press } = applyAnswer(beginPress(true), { liked: true, likes: 5 })
  assert.is(releasePress(press!).show, null)
  assert.equal(releasePress(on(applyLikeUpdate(press, others(6)))), { press: undefined, show: { likes: 6 } })
})

const hearts = suite('unit/likes/like-reconciler: hearts')
const empty = { liked: null, counts: {}, resting: new Set<string>() }

hearts('before hydration a heart shows the state that the server rendered', () => {
  const rendered = { liked: true, likes: 7 }
  assert.equal(heartState(empty, 'a', rendered), { liked: true, likes: 7, resting: false })
  assert.is(heartState({ ...empty, liked: new Set() }, 'a', rendered).liked, false)
  assert.is(heartState({ ...empty, counts: { a: { now: 8, at: 0 } } }, 'a', rendered).likes, 8)
  assert.is(heartState({ ...empty, counts: { b: { now: 8, at: 0 } } }, 'a', rendered).likes, 7)
})

hearts('a set with or without one', () => {
  assert.equal([...withOrWithout(null, 'a', true)], ['a'])
  assert.equal([...withOrWithout(new Set(['a', 'b']), 'a', false)], ['b'])
})

hearts('a list from the server has the states known before its request, and not later ones', () => {
  $hearts.set({ ...empty, counts: { a: { now: 1, at: 10 }, b: { now: 2, at: 30 }, c: { now: 3, at: 10 } } })
  discardStaleCounts(['a', 'b'], 20)
  assert.equal($hearts.get().counts, { b: { now: 2, at: 30 }, c: { now: 3, at: 10 } })
})
