import * as z from 'zod/mini'
import { emailSchema } from '#features/auth/sign-in/sign-in-input.ts'

export const newEmailInput = z.object({ email: emailSchema })
