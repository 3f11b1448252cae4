import type { all as allStates, Template } from './templates.ts'

/** The pages of breeds beside a breed's own: guide, lists, quiz, comparison and album. */
export const listBreedTemplates = (all: typeof allStates): Record<string, Template> => ({
  'razas/guia.astro': all('visitor', { '/razas/guia': 'Guía de razas' }),
  'razas/[tipo]/[lista].astro': all('visitor', {
    '/razas/grupo/4': 'Grupo 4: Teckels',
    '/razas/grupo/99': 'Esa lista no existe',
  }),
  'razas/que-raza.astro': all('visitor', {
    '/razas/que-raza': '¿Qué raza te va?',
    '/razas/que-raza?casa=piso&tiempo=poco&clima=calor': '¿Qué raza te va?',
  }),
  'razas/comparar.astro': all('visitor', {
    '/razas/comparar': 'Comparar razas',
    '/razas/comparar?a=rottweiler&b=boxer&c=xyzq': 'Comparar razas',
  }),
  'razas/imprimir.astro': [
    ...all('visitor', { '/razas/imprimir': 'Imprimir el álbum' }),
    ...all('owner', { '/razas/imprimir?modo=mias': 'Imprimir el álbum' }),
  ],
  'razas/index.astro': [
    ...all('visitor', {
      '/razas': 'Colección de Razas',
      '/razas?vista=lista': 'Colección de Razas',
      '/razas?buscar=zzzz': 'Colección de Razas',
    }),
    ...all('owner', { '/razas': 'Colección de Razas' }),
  ],
})
