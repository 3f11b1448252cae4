/**
 * The notice while a slow page loads, by its path (docs/product.md §3.8): pages arrive complete and have no loading state of their own.
 * Null for other paths.
 */
export function findLoadingText(path: string): string | null {
  if (path === '/comunidad') return 'Cargando ranking...'
  if (path === '/perfil' || path.startsWith('/usuario/')) return 'Cargando perfil…'
  if (/^\/razas\/[^/]+$/.test(path)) return 'Cargando información de la raza...'
  const [first, second, ...rest] = path.slice(1).split('/')
  const dog = second && rest.length === 0 && !['razas', 'usuario', 'api', 'login', 'fragments'].includes(first!)
  return dog ? 'Cargando perro...' : null
}
