/**
 * Lets a deed happen, or throws what refuses it (AppError 429). Who counts deeds counts only those that were done: not one
 * that throws, nor one of whose result `isDone` says so.
 */
export type Quota = <T>(deed: () => Promise<T>, isDone?: (result: T) => boolean) => Promise<T>

/** Where nothing is counted. */
export const unlimitedQuota: Quota = (deed) => deed()
