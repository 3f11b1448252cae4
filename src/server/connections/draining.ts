let hasBegun = false

/** From now on the process is not ready for new requests, though it answers them. */
export const beginDraining = (): void => void (hasBegun = true)

/** Whether the process is about to stop. */
export const isDraining = (): boolean => hasBegun
