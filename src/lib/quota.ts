/**
 * Runs an action, or throws AppError 429. Only actions that succeed count: not one that throws, nor one for whose result
 * `isCountable` returns false.
 */
export type Quota = <T>(action: () => Promise<T>, isCountable?: (result: T) => boolean) => Promise<T>

/** A quota without a limit. */
export const unlimitedQuota: Quota = (action) => action()
