export interface UploadOptions {
  /** Called with the share of the form that was sent, 0 to 1. */
  onProgress?: (share: number) => void
  headers?: Record<string, string>
  signal?: AbortSignal
}

export interface UploadResponse {
  status: number
  /** The parsed JSON; null where the body is none. */
  body: unknown
}

/**
 * Sends a form with its photos. Uses XMLHttpRequest, because fetch reports no upload progress.
 * @throws Error with docs/product.md §21.3's sentence when the server cannot be reached; AbortError when `signal` is aborted
 */
export function sendForm(
  method: string,
  url: string,
  form: FormData,
  options: UploadOptions = {},
): Promise<UploadResponse> {
  const { onProgress, headers = {}, signal } = options
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const abortError = () => new DOMException('The upload was cancelled', 'AbortError')
    if (signal?.aborted) return reject(abortError())
    request.open(method, url)
    request.setRequestHeader('Accept', 'application/json')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    if (onProgress)
      request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
        if (lengthComputable) onProgress(loaded / total)
      })
    request.addEventListener('load', () => resolve({ status: request.status, body: parseJson(request.responseText) }))
    request.addEventListener('error', () => reject(new Error('No se pudo conectar con el servidor.')))
    request.addEventListener('abort', () => reject(abortError()))
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
    signal?.addEventListener('abort', abort)
    request.send(form)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
