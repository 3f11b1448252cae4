import type { JourneyContext } from './journey-steps.ts'

/** Searches the album, sorts it, turns its page and, on a desktop, opens the one to print. */
export async function album({ engine, person, goto, inspect }: JourneyContext): Promise<void> {
  await goto('/razas')
  await inspect('album')
  await person.press('#album-q')
  await engine.type('beagle')
  await person.sees('.found', '2 razas encontradas')
  await person.isAt('buscar=beagle')
  await engine.press('SelectAll')
  await engine.press('Backspace')
  await person.until('the whole album', () => !location.search.includes('beagle'))
  const isPhone = await engine.run(() => innerWidth < 700)
  if (isPhone) await person.press('.fold summary')
  const scrolledTo = await engine.run(() => {
    scrollTo({ top: document.querySelector('#album-order')!.getBoundingClientRect().top - 100, behavior: 'instant' })
    return scrollY
  })
  await person.press('#album-order a', 'Estado')
  await person.isAt('orden=estado')
  // The address changes before the page does.
  await person.sees('#album-order a[aria-current]', 'Estado')
  // WebKit has scrolled to the top when the new album comes, and htmx tells of the swap a moment later.
  await person.until(`the album scrolled to ${scrolledTo}`, (top: number) => scrollY === top, scrolledTo)
  await person.press('[aria-label="Página siguiente"]')
  await person.isAt('pagina=2')
  // All 434 places with their pictures: once is enough.
  if (isPhone) return
  await goto('/razas/imprimir')
  await person.sees('.place')
  await inspect('print')
}
