import * as z from 'zod/mini'
import { CASE_ACTIONS } from './decisions/decisions.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

/** `POST /api/reports`. `again`: an open report of the same member and target was there already. */
export const reportedAnswer = z.object({ reported: z.literal(true), again: z.boolean(), detail: z.string() })

/** `PUT` and `DELETE /api/blocks/{id}`: whether the member is blocked now. */
export const blockedAnswer = z.object({ blocked: z.boolean() })

/** `POST /api/admin/cases/{id}`: what was done. */
export const decidedAnswer = z.object({ done: z.enum(CASE_ACTIONS) })

/** `POST /api/decisions/{id}/appeal` */
export const appealedAnswer = z.object({ sent: z.literal(true) })
