import { DAY_MS } from '#lib/time.ts'
import { ANSWER_DAYS, QUESTION_DAYS } from './lost.ts'

/** The least time from an answer, or from a question that was asked late, to the next question. */
const MIN_PAUSE_MS = 3 * DAY_MS
/** Between the questions of a case that outlives all of them. */
const LATER_PAUSE_MS = 30 * DAY_MS

/** When the question after the first `asked` ones is due, ms. After the last it is asked again every 30 days. */
export function nextQuestionAt(openedAt: number, asked: number, now: number): number {
  const days = QUESTION_DAYS[asked]
  return days === undefined ? now + LATER_PAUSE_MS : Math.max(openedAt + days * DAY_MS, now + MIN_PAUSE_MS)
}

/** What follows a question that is asked now: the next one, or the end after the last. */
export const dueAfterQuestion = (openedAt: number, asked: number, now: number): number =>
  asked < QUESTION_DAYS.length ? nextQuestionAt(openedAt, asked, now) : now + ANSWER_DAYS * DAY_MS
