/** sessionStorage key of a toast for the next page. Apart from toast.ts: every page loads it. */
export const NEXT_PAGE_TOAST_KEY = 'perrario-toast'
