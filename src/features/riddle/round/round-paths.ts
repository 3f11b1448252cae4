/** Addresses of the rounds. */
export const roundPaths = {
  /** Where a round begins. @param notice why none began */
  start: '/reto/ronda',
  /** A round by its token: its next question, or its result. */
  of: (token: string, notice?: string) => `/reto/ronda/${token}${notice ? `?aviso=${notice}` : ''}`,
  /** A sticker of a question: `3` or, where four are offered, `3a`. `token` is the one that the round began with, so that it says no answers. */
  picture: (token: string, name: string) => `/reto/ronda/${token}/${name}.svg`,
  /** Begins a round. */
  begin: '/api/reto/ronda',
  answer: (token: string) => `/api/reto/ronda/${token}`,
} as const
