import type { LikeState } from './likes.ts'

// The answers to presses and the live stream report the same likes over two connections. While a press is under way,
// events may be older than the press: they are buffered until the press's own event has come, and then count.

/** A `like` event, as far as a heart needs it. */
export interface LikeUpdate {
  /** The like is this member's own, given here or on another device. */
  isOwn: boolean
  liked: boolean
  likes: number
}

/** The next state of a heart. Without `liked`, that stays as it is. */
export interface HeartUpdate {
  liked?: boolean
  likes: number
}

/** A press until its answer and its event have come. */
export interface Press {
  /** True for a like, false for its removal. */
  isLikeIntended: boolean
  /** Events of earlier presses on this heart that have not come yet, and are not this one's. */
  earlierEventsPending: number
  /** This press's own event has come: later ones are newer. */
  hasOwnEvent: boolean
  isAnswered: boolean
  /** The newest of the buffered events. */
  buffered: HeartUpdate | null
}

/** Begins a press, perhaps before an earlier one on the same heart is finished. */
export const beginPress = (isLikeIntended: boolean, earlier?: Press): Press => ({
  isLikeIntended,
  earlierEventsPending: earlier ? earlier.earlierEventsPending + (earlier.hasOwnEvent ? 0 : 1) : 0,
  hasOwnEvent: false,
  isAnswered: false,
  buffered: null,
})

/** The result of a step: the press afterwards (undefined: it is finished), and what to show (null: no change). */
export interface PressStep {
  press: Press | undefined
  show: HeartUpdate | null
}

/** Handles a `like` event of the heart's dog. */
export function applyLikeUpdate(press: Press | undefined, { isOwn, liked, likes }: LikeUpdate): PressStep {
  if (!press) return { press, show: isOwn ? { liked, likes } : { likes } }
  const isOfEarlierPress = isOwn && press.earlierEventsPending > 0
  const isOfThisPress = isOwn && !isOfEarlierPress && !press.hasOwnEvent && liked === press.isLikeIntended
  const previous = isOfThisPress ? null : press.buffered
  const buffered = isOwn ? { liked, likes } : { ...previous, likes }
  const next = {
    ...press,
    earlierEventsPending: press.earlierEventsPending - (isOfEarlierPress ? 1 : 0),
    hasOwnEvent: press.hasOwnEvent || isOfThisPress,
    buffered,
  }
  return next.hasOwnEvent && next.isAnswered ? { press: undefined, show: buffered } : { press: next, show: null }
}

/** Handles the server's answer to the press. Its event may have come before, and others after that. */
export function applyAnswer(press: Press, state: LikeState): PressStep {
  if (press.hasOwnEvent) return { press: undefined, show: { ...state, ...press.buffered } }
  return { press: { ...press, isAnswered: true }, show: state }
}

/** Rolls a failed press back to `before`, or to a buffered event, since the request may have had its effect all the same. */
export const failPress = (press: Press, before: LikeState): PressStep => ({
  press: undefined,
  show: { ...before, ...press.buffered },
})

/** Finishes a press whose event does not come, because another tab or device had made the change before. */
export const releasePress = (press: Press): PressStep => ({ press: undefined, show: press.buffered })
