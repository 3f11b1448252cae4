export interface UploadOptions {
  /** Told how much of the form has left, 0 to 1. */
  onProgress?: (share: number) => void
  headers?: Record<string, string>
  signal?: AbortSignal
}

export interface UploadResponse {
  status: number
  /** The answer's JSON; null when it was none. */
  body: unknown
}

/**
 * Sends a form with its photos. Through XMLHttpRequest, because fetch cannot tell how much of an upload has left.
 * @throws Error with docs/product.md §21.3's sentence when the server cannot be reached; an AbortError when `signal` ends it
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
    const aborted = () => new DOMException('The upload was cancelled', 'AbortError')
    if (signal?.aborted) return reject(aborted())
    request.open(method, url)
    request.setRequestHeader('Accept', 'application/json')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    if (onProgress)
      request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
        if (lengthComputable) onProgress(loaded / total)
      })
    request.addEventListener('load', () => resolve({ status: request.status, body: parseJson(request.responseText) }))
    request.addEventListener('error', () => reject(new Error('No se pudo conectar con el servidor.')))
    request.addEventListener('abort', () => reject(aborted()))
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
