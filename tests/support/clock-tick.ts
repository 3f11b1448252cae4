/** Waits for a new tick of the clock: what follows is later than what came before. */
export async function clockTick(): Promise<void> {
  const now = Date.now()
  while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve))
}
