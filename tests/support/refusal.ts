import { AppError } from '#lib/errors.ts'

/** The status and the sentence with which a deed refuses; what it does not refuse fails the test. */
export async function refusal(deed: Promise<unknown>): Promise<[status: number, detail: string]> {
  try {
    await deed
  } catch (error) {
    if (error instanceof AppError) return [error.status, error.message]
    throw error
  }
  throw new Error('It was not refused')
}
