/** The addresses of the week's challenge and of the badges; not in `paths`, which is part of every page's script. */
export const challengePaths = {
  /** The challenge of this week, on the page of the badges, with everybody who has done it. */
  week: '/insignias#semana',
  badges: '/insignias',
}
