// Lost dogs.

import type { Generated } from 'kysely'

/**
 * lost: dogs that their owners look for. The row goes when the case ends, with everything that refers to it. It has no foreign key to
 * `dogs`: a hidden dog is in no list, and its case is there again when it comes back. Every public query joins `dogs`.
 */
export interface LostCasesTable {
  id: string
  /** One case a dog. */
  dog_id: string
  owner_id: string
  /** Since when the dog is gone, as its owner says. */
  since: number
  /** The zone's text, as the gazetteer writes it. */
  zone: string
  /** INE number; empty abroad. */
  province: string
  /** The exact point, for the owner alone; null where they named a zone. */
  lat: number | null
  lon: number | null
  /** The centre of the circle that others see: all lists, alerts, feeds, matches and distances use it. */
  shown_lat: number
  shown_lon: number
  /** What helps to catch the dog; empty where the owner wrote nothing. */
  help: string
  /** 1: has a chip, 0: has none, null: not said. */
  chip: 0 | 1 | null
  /** The short link of the poster, `/p/{code}`. */
  code: string
  opened_at: number
  updated_at: number
  /** Questions («¿Sigue perdido?») asked so far, at most three. */
  questions: Generated<number>
  /** When the last question was asked; null once it is answered. */
  asked_at: number | null
  /** When the next question is due, or the end where one is unanswered. */
  due_at: number
  /**
   * Whom it is announced to, as was decided when it was opened. `all`: members around, each within their radius. `near`: those within ten
   * kilometres. Nobody: `dog` and `owner` say why. Null: of a case from before the column.
   */
  alerts: 'all' | 'near' | 'dog' | 'owner' | null
}

/** lost: what outlives a case: for 30 days, so that a dog is announced once in them, and the circle for as long as the dog is its owner's. */
export interface LostHistoryTable {
  dog_id: string
  /** The place of the circle, moved by its owner's offset (`Circle`); null where none but a zone was named. */
  circle_lat: Generated<number | null>
  circle_lon: Generated<number | null>
  /** Not used any more. */
  offset_north_m: number
  offset_east_m: number
  /** When members nearby were last alerted; null: never. */
  alerted_at: number | null
  /** When the last case ended; null while one is open, 0 once only the circle is left. */
  ended_at: number | null
  /** 1: nobody answered the last question, and the form to reopen it is filled in with the columns below. */
  is_unanswered: Generated<0 | 1>
  /** Whose case it is or was; null: of a row from before the column. */
  owner_id: string | null
  /** When its owner thanked those who helped, at «¡En casa!»; the dog's page says so for as long as the row is there. */
  thanked_at: number | null
  /** The Madrid day on which its owner was last notified of found dogs, and of how many; 0: never. Opening another case gives no more of them. */
  told_day: Generated<number>
  told_count: Generated<number>
  since: number | null
  zone: string | null
  help: string | null
}
