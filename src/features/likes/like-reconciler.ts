import type { LikeState } from './likes.ts'

// Presses and the live stream tell of the same likes in two ways, and not at the same pace. What the stream tells while a
// press is on its way may be older than the press: it waits until the press's own event has come, and then counts.

/** What the stream tells of a like, as far as a heart needs it. */
export interface LikeUpdate {
  /** It is this member's own like, given here or on another device. */
  own: boolean
  liked: boolean
  likes: number
}

/** What a heart is to show; without `liked`, that stays. */
export interface HeartUpdate {
  liked?: boolean
  likes: number
}

/** A press until all that it caused is known. */
export interface Press {
  wish: boolean
  /** Events of earlier presses on this heart that have not come yet: they are not this one's. */
  due: number
  /** Its own event has come: what comes now is newer. */
  told: boolean
  answered: boolean
  /** The newest of what waits. */
  held: HeartUpdate | null
}

/** A press begins, perhaps before an earlier one on the same heart is quite over. */
export const beginPress = (wish: boolean, earlier?: Press): Press => ({
  wish,
  due: earlier ? earlier.due + (earlier.told ? 0 : 1) : 0,
  told: false,
  answered: false,
  held: null,
})

/** What follows: the press as it stands now (undefined: it is over), and what to show (null: as it is). */
export interface PressStep {
  press: Press | undefined
  show: HeartUpdate | null
}

/** The stream tells something about the heart. */
export function applyLikeUpdate(press: Press | undefined, { own, liked, likes }: LikeUpdate): PressStep {
  if (!press) return { press, show: own ? { liked, likes } : { likes } }
  const isEarlier = own && press.due > 0
  const isThis = own && !isEarlier && !press.told && liked === press.wish
  const before = isThis ? null : press.held
  const held = own ? { liked, likes } : { ...before, likes }
  const now = { ...press, due: press.due - (isEarlier ? 1 : 0), told: press.told || isThis, held }
  return now.told && now.answered ? { press: undefined, show: held } : { press: now, show: null }
}

/** The server has answered the press. Its event may have come before, and others after that. */
export function applyAnswer(press: Press, state: LikeState): PressStep {
  if (press.told) return { press: undefined, show: { ...state, ...press.held } }
  return { press: { ...press, answered: true }, show: state }
}

/** The press failed: `before` holds again, or what was told since. Its event may have come all the same. */
export const failPress = (press: Press, before: LikeState): PressStep => ({
  press: undefined,
  show: { ...before, ...press.held },
})

/** Its event does not come: nothing had changed, because another tab or device was first. What waited is the newest. */
export const releasePress = (press: Press): PressStep => ({ press: undefined, show: press.held })
