import { AppError } from '#lib/errors.ts'

/** What an action is refused with; an action that succeeds fails the test. */
export async function refusalError(action: Promise<unknown>): Promise<AppError> {
  try {
    await action
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was not refused')
}

/** The status and the sentence with which an action is refused; an action that succeeds fails the test. */
export async function refusal(action: Promise<unknown>): Promise<[status: number, detail: string]> {
  const { status, message } = await refusalError(action)
  return [status, message]
}

/** The same in one text, `422 Escribe un alias.`; «accepted» where the action succeeds. */
export const refusalOf = (action: Promise<unknown>): Promise<string> =>
  action.then(
    () => 'accepted',
    async () => (await refusal(action)).join(' '),
  )
