/** The addresses of the week's challenge and of the badges; not in `paths`, which is part of every page's script. */
export const challengePaths = {
  /** The challenge of this week, with everybody who has done it. */
  week: '/comunidad/semana',
  badges: '/insignias',
}
