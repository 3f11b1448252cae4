import { paths } from '#lib/paths.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'
import { requireUser } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { closeStepInput } from './first-days.ts'
import { closeStep } from './first-days.server.ts'

/** One step, and some to spare. */
const DISMISSALS_PER_MINUTE = 30

/** POST /api/account/first-days `{step}`: dismisses a step, or all of them. */
export const dismissStep = formEndpoint({
  answers: { 204: null },
  async who(context) {
    const { id } = requireUser(context)
    await limit('first-days', id, DISMISSALS_PER_MINUTE, MINUTE_SECONDS)
    return id
  },
  input: closeStepInput,
  save: ({ locals }, id, { step }) => closeStep(locals.db, id, step),
  done: () => paths.profile,
  refused: (_, { status }) => (status === 422 ? paths.profile : undefined),
})
