/** docs/product.md §21.3, network failure. */
export const UNREACHABLE = 'No se pudo conectar con el servidor.'

/**
 * `fetch` with a Spanish error where the network is missing: the browser's own is English.
 * @throws Error with the sentence of docs/product.md §21.3 where the server cannot be reached; the signal's reason where it aborts
 */
export async function fetchOrExplain(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init?.signal?.aborted) throw error
    throw new Error(UNREACHABLE, { cause: error })
  }
}
