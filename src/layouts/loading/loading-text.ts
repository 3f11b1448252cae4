/**
 * What is said while a slow page is on its way, by where it leads (docs/product.md §3.8): the pages themselves arrive whole and have
 * no loading state of their own. Null where nothing is foreseen.
 */
export function findLoadingText(path: string): string | null {
  if (path === '/comunidad') return 'Cargando ranking...'
  if (path === '/perfil' || path.startsWith('/usuario/')) return 'Cargando perfil…'
  if (/^\/razas\/[^/]+$/.test(path)) return 'Cargando información de la raza...'
  const [first, second, ...rest] = path.slice(1).split('/')
  const dog = second && rest.length === 0 && !['razas', 'usuario', 'api', 'login', 'fragments'].includes(first!)
  return dog ? 'Cargando perro...' : null
}
