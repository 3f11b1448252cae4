/** Where a toast for the next page waits (sessionStorage). */
export const TOAST_LATER = 'perrario-toast'
