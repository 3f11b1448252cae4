// Alerts of lost dogs.

import type { Generated } from 'kysely'
import type { Flag } from './system.ts'

/** lost: where a member wants to be alerted of lost dogs, and how. Nobody else sees it. */
export interface LostAlertSettingsTable {
  user_id: string
  /** The gazetteer's name of it, never what was typed. */
  zone: string
  lat: number
  lon: number
  radius_km: number
  /** The cell of the grid of that radius in which the zone lies (src/lib/geo-cells.ts). */
  cell: string
  /** 1: on their devices also during their quiet hours. */
  breaks_quiet: Flag
  by_mail: Flag
  by_push: Flag
  /** The Madrid day of the last alert, and how many it had; 0: none. */
  alerted_day: Generated<number>
  alerted_count: Generated<number>
  /** How many of them were of dogs of members who were new. */
  alerted_near: Generated<number>
  created_at: number
}

/** lost: dogs of which members were alerted at their owner's call; also deleted ones, and those that others own by now. */
export interface LostAlertedDogsTable {
  owner_id: string
  dog_id: string
  alerted_at: number
  /** Not used any more. */
  network: Generated<string | null>
}
