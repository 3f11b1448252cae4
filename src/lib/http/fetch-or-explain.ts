/** docs/product.md §21.3, network failure. */
export const UNREACHABLE = 'No se pudo conectar con el servidor.'

/**
 * `fetch`, whose own words for a missing network are the browser's and English.
 * @throws Error with docs/product.md §21.3's sentence where the server cannot be reached; what `signal` throws where it ends it
 */
export async function fetchOrExplain(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init?.signal?.aborted) throw error
    throw new Error(UNREACHABLE, { cause: error })
  }
}
