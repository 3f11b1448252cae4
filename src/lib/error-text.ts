/** docs/product.md §21.3, anything else. */
export const UNEXPECTED = 'Error inesperado. Intenta de nuevo.'

/** What a browser refuses, by the exception's name (WebIDL §2.8.1), with what to do about it. */
const SENTENCES: Readonly<Record<string, string>> = {
  NotReadableError:
    'No podemos abrir el archivo: quizá está solo en la nube. Descárgalo en este dispositivo y vuelve a elegirlo.',
  NotFoundError: 'El archivo ya no está donde estaba. Vuelve a elegirlo.',
  NotAllowedError: 'El navegador no nos da permiso. Dalo en sus ajustes e inténtalo de nuevo.',
  QuotaExceededError: 'No queda sitio en este dispositivo. Libera espacio e inténtalo de nuevo.',
  TimeoutError: 'El servidor tarda demasiado en contestar. Inténtalo de nuevo.',
}

/**
 * What went wrong, as the person reads it. Errors of our own carry their sentence; a browser's are English, and say nothing of a remedy.
 * @param fallback for an exception of the browser that has no sentence
 */
export function explainError(error: unknown, fallback: string = UNEXPECTED): string {
  if (error instanceof DOMException) return SENTENCES[error.name] ?? fallback
  // TypeError, SyntaxError and the like are the browser's own.
  return error instanceof Error && error.name === 'Error' && error.message !== '' ? error.message : fallback
}
