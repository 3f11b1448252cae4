import type { ToastOptions } from './toast.ts'

/**
 * Shows a toast, whose code loads on use: it needs a document, which the server's render of an island lacks. @returns what dismisses it
 */
export const showToast = async (options: ToastOptions): Promise<() => void> =>
  (await import('./toast.client.ts')).toast(options)
