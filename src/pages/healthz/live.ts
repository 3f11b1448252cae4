import * as z from 'zod/mini'
import { endpoint } from '#server/endpoint.ts'

/** Live: 200 while the process answers, whatever the database does. */
export const GET = endpoint({ 200: z.object({ status: z.literal('ok') }) }, () => ({ status: 'ok' }) as const)
