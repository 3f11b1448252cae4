import { loadsReact, measurePageWeight } from '#tests/support/page-weight.ts'
import { assert, dog, member, seed, serverSuite } from '#tests/support/suites.ts'

/**
 * What a visitor's page may weigh, bytes gzipped. `script` is what comes before anybody touches the page, `islands` what the first
 * touch may bring. The breed page's and the bounds of 15 kB of script are the product's promises; the rest is what the pages
 * weigh and a little more, so that growth is seen: who needs more says here why. `islands` holds Astro's element of islands, 2 kB that
 * were inline and counted by `script` alone.
 */
interface Budget {
  html: number
  /** HTML before compression, and in brotli as the page cache compresses it. */
  raw?: number
  brotli?: number
  css: number
  /** Stylesheets with a `media` attribute; none by default. */
  mediaCss?: number
  script: number
  islands: number
  /** HTML and styles together. */
  page?: number
  /** Wakes its island unasked. */
  react?: true
}

const SCRIPT_BYTES = 15_000
// Islands' scripts are inline, as Astro writes them: 300 B more than in a file, since each page compresses them anew.
// One to three kilobytes of each page are of what islands need on translated pages, of tabs that follow a sign-out and of failures said in Spanish.
const BUDGETS: Record<string, Budget> = {
  // Cards name their seasonal frame and say that a dog is lost; albums have their filter and comparison.
  // Signing out everywhere may lead to the confirmation. The dog form sends again where a proof of work is asked for.
  '/': { html: 12_600, css: 11_520, script: 98_800, islands: 130_600, react: true },
  '/perros': { html: 12_600, raw: 62_000, brotli: 14_000, css: 11_700, script: 98_600, islands: 130_300, react: true },
  // Styles of all pages break their lines at 200 %.
  '/perros?view=map': { html: 9_700, css: 18_480, mediaCss: 700, script: 108_500, islands: 138_900, react: true },
  // A member's comments have both buttons, of which a rule shows one, so that all members share one render of the page.
  '/beagle/toby': { html: 5_300, css: 12_520, script: 16_600, islands: 123_500 },
  '/razas': { html: 6_100, css: 12_650, script: 28_100, islands: 135_300 },
  '/razas?vista=lista&orden=estado': { html: 6_400, css: 12_650, script: 28_100, islands: 135_300 },
  // With its sections below the first screen: a request more for them would cost readers more than their 1.7 kB.
  '/razas/beagle': { html: 10_200, css: 13_100, script: 16_300, islands: 123_100, page: 23_150 },
  '/razas/guia': { html: 5_500, css: 12_500, script: SCRIPT_BYTES, islands: 120_200 },
  '/razas/grupo/6': { html: 7_500, css: 12_500, script: SCRIPT_BYTES, islands: 120_200 },
  '/razas/que-raza?casa=piso&tiempo=poco': { html: 5_500, css: 12_500, script: SCRIPT_BYTES, islands: 120_200 },
  '/razas/comparar?a=beagle&b=boxer': { html: 9_500, css: 12_500, script: SCRIPT_BYTES, islands: 120_200 },
  // The names of all breeds for its field, 4 kB.
  '/reto': { html: 9_000, css: 12_500, script: SCRIPT_BYTES, islands: 120_200 },
  // The question's script; htmx comes with the first answer.
  '/reto/ronda': { html: 4_500, css: 12_500, script: SCRIPT_BYTES, islands: 135_000 },
  // With the week's challenge and its drawing.
  '/comunidad': { html: 5_700, css: 11_750, script: 13_200, islands: 120_500 },
  // With the ways in by passkey, and the legal texts, which name each cookie and what lost and found dogs need; its styles are also those of badges, of a new member's steps, of
  // what is missing nearby and of the year's invitation.
  '/perfil': { html: 10_260, css: 20_050, script: 16_800, islands: 123_600 },
  '/buscar?q=lola': { html: 4_200, css: 10_800, script: 13_200, islands: 120_500 },
  '/login': { html: 9_950, css: 12_550, script: 16_400, islands: 123_100 },
  '/terminos': { html: 5_200, css: 11_100, script: SCRIPT_BYTES, islands: 127_700 },
  '/privacidad': { html: 7_300, css: 11_100, script: SCRIPT_BYTES, islands: 127_700 },
}

/** The two families, cut to what Spain's languages need (ui/fonts). */
const FONT_BYTES = 40_000

const weights = serverSuite('api/pages/page-weights', { SITE_URL: 'https://perrario.example' })

weights.before(async (t) => {
  await seed(
    t.server.db,
    member({ alias: 'Ana' }),
    dog({ name: 'Toby', breed: 'Beagle', zone: 'Jaca', description: 'Ladra.' }),
  )
  for (let i = 0; i < 40; i++)
    await seed(
      t.server.db,
      member({ alias: `Persona número ${i}` }),
      dog({
        name: `Lola ${i}`,
        breed: ['Beagle', 'Teckel', 'Galgo español'][i % 3]!,
        zone: 'Jaca',
        created_at: i + 1,
      }),
    )
})

const PARTS = ['html', 'raw', 'brotli', 'css', 'mediaCss', 'script', 'islands'] as const

for (const [path, budget] of Object.entries(BUDGETS))
  weights(`${path} stays within its weight budget`, async ({ server }) => {
    const weight = await measurePageWeight(server, path)
    const over = PARTS.filter(
      (part) => weight[part] > (budget[part] ?? (part === 'raw' || part === 'brotli' ? Infinity : 0)),
    )
    const told = (part: (typeof PARTS)[number]) => `${part} ${weight[part]} B of ${budget[part] ?? 0}`
    assert.equal(over.map(told), [], `${path}, script: ${weight.files.join(' ')}`)
    if (budget.page) assert.ok(weight.html + weight.css <= budget.page, `page ${weight.html + weight.css} B`)
    assert.ok(weight.fonts > 0 && weight.fonts <= FONT_BYTES, `fonts ${weight.fonts} B`)
    assert.is(await loadsReact(server, weight), budget.react ?? false, `${path} and React before anybody touches it`)
  })
