import { AppError } from '#lib/errors.ts'

/** The status and the sentence with which an action is refused; an action that succeeds fails the test. */
export async function refusal(action: Promise<unknown>): Promise<[status: number, detail: string]> {
  try {
    await action
  } catch (error) {
    if (error instanceof AppError) return [error.status, error.message]
    throw error
  }
  throw new Error('It was not refused')
}
