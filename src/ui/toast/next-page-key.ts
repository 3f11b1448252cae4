/** Where a toast for the next page waits (sessionStorage). */
export const NEXT_PAGE_TOAST_KEY = 'perrario-toast'
