import type { BrowserContextOptions, Page } from 'playwright'
import { axeFaultsInBothThemes } from '#tests/support/browser/axe.ts'
import { DESKTOP, PHONE, watchErrors } from '#tests/support/browser/chromium.ts'
import { takePage, visit } from '#tests/support/browser/page-pool.ts'
import { signInMember, type TestMember, useSession } from '#tests/support/members.ts'
import { dog, seed } from '#tests/support/seed.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'
import { assert, browserSuite, type BrowserWorld } from '#tests/support/suites.ts'

interface Shared extends BrowserWorld {
  ana: TestMember
  luis: TestMember
  dog: { id: string; path: string }
}

const comments = browserSuite<Shared>('comments')

comments.before(async (t) => {
  t.ana = await signInMember(t.server, 'ana@ejemplo.es')
  t.luis = await signInMember(t.server, 'luis@ejemplo.es')
})
comments.before.each(async (t) => {
  t.dog = (await seed(t.server.db, dog({ owner_id: null, photos: 0 })))[0]
})

const open = async (t: Shared, member?: TestMember, options?: BrowserContextOptions): Promise<Page> =>
  (await visit(t, t.dog.path, options, member)).page
async function openEmpty(t: Shared, member?: TestMember, options?: BrowserContextOptions): Promise<Page> {
  const { context, page } = await takePage(t.browser, options)
  if (member) await useSession(context, t.server, member)
  return page
}
const field = (page: Page) => page.getByLabel('Tu comentario')
const sendButton = (page: Page) => page.getByRole('button', { name: 'Enviar' })
const commentOf = (page: Page, text: string) => page.locator('.comment', { hasText: text })

async function write(page: Page, text: string) {
  await field(page).fill(text)
  await sendButton(page).click()
  await commentOf(page, text).waitFor()
}

comments('two people write, read each other and delete only their own', async (t) => {
  const anas = await open(t, t.ana)
  const errors = watchErrors(anas)
  await anas.getByText('Todavía nadie ha comentado.').waitFor()
  await write(anas, 'Hola, Toby')
  assert.is(await field(anas).inputValue(), '')
  await anas.getByRole('link', { name: '1 comentario', exact: true }).waitFor()
  await anas.getByRole('heading', { name: 'Comentarios 1' }).waitFor()

  const luiss = await open(t, t.luis)
  await write(luiss, 'Qué guapo')
  const lines = await luiss.locator('.comment .text').allInnerTexts()
  assert.equal(lines, ['Qué guapo', 'Hola, Toby'])
  assert.is(await commentOf(luiss, 'Hola, Toby').getByRole('button').count(), 0)
  assert.is(await commentOf(luiss, 'Hola, Toby').locator('.by a').innerText(), t.ana.alias)

  await luiss.reload()
  await commentOf(luiss, 'Qué guapo').getByRole('button', { name: 'Eliminar comentario' }).click()
  const question = luiss.getByRole('alertdialog', { name: '¿Estás seguro de que quieres eliminar este comentario?' })
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await question.waitFor({ state: 'detached' })
  await commentOf(luiss, 'Qué guapo').getByRole('button', { name: 'Eliminar comentario' }).click()
  await question.getByRole('button', { name: 'Eliminar' }).click()
  await commentOf(luiss, 'Qué guapo').waitFor({ state: 'detached' })
  await luiss.getByRole('heading', { name: 'Comentarios 1' }).waitFor()

  await anas.reload()
  assert.equal(await anas.locator('.comment .text').allInnerTexts(), ['Hola, Toby'])
  assert.equal(errors, [])
})

comments('pasted HTML shows as text, before and after a reload', async (t) => {
  const page = await open(t, t.ana)
  const html = '<img src=x onerror="document.title=1"><b>hola</b>'
  await write(page, html)
  await page.reload()
  assert.is(await page.locator('.comment .text').innerText(), html)
  assert.is(await page.locator('.comment .text *').count(), 0)
})

comments('counts to 300 as a person does, and sends nothing longer', async (t) => {
  const page = await open(t, t.ana)
  await field(page).fill('👨‍👩‍👧'.repeat(300))
  await page.getByText('300/300').waitFor()
  assert.ok(await sendButton(page).isEnabled())
  const before = await page.locator('.comment .text').count()
  await field(page).fill('👨‍👩‍👧'.repeat(301))
  await page.getByText('301/300').waitFor()
  await page.getByText('El comentario no puede tener más de 300 caracteres.').waitFor()
  // It is still a stop for Tab, sends nothing, and leads back to the field that says why.
  assert.is(await sendButton(page).getAttribute('aria-disabled'), 'true')
  await page.keyboard.press('Tab')
  assert.ok(await sendButton(page).evaluate((button) => button === document.activeElement))
  await page.keyboard.press('Enter')
  await field(page).and(page.locator(':focus')).waitFor()
  assert.match((await field(page).getAttribute('aria-describedby'))!, 'comentario-error')
  assert.is(await page.locator('.comment .text').count(), before)
  await field(page).fill('   ')
  await page.getByText('0/300').waitFor()
  assert.ok(await sendButton(page).isDisabled())
})

comments('what was typed stays when it cannot be sent, and the reason is told', async (t) => {
  const page = await open(t, t.ana)
  await field(page).fill('No me pierdas')
  await page.route('**/api/dogs/*/comments', (route) => route.abort())
  await sendButton(page).click()
  await page.getByText('No se pudo conectar con el servidor.').waitFor()
  assert.is(await field(page).inputValue(), 'No me pierdas')
  await page.unroute('**/api/dogs/*/comments')
  await page.context().clearCookies()
  await sendButton(page).click()
  await page.getByText('Inicia sesión para continuar.').waitFor()
  assert.is(await field(page).inputValue(), 'No me pierdas')
  await useSession(page.context(), t.server, t.ana)
  await sendButton(page).click()
  await commentOf(page, 'No me pierdas').waitFor()
})

comments('a visitor reads all, is invited, and loads no React before asking for more', async (t) => {
  for (let i = 1; i <= 25; i++)
    await t.server.db
      .insertInto('comments_all')
      .values({ id: crypto.randomUUID(), dog_id: t.dog.id, user_id: t.ana.id, content: `n.º ${i}.`, created_at: i })
      .execute()
  const page = await open(t)
  await waitUntilQuiet(page, watchRequests(page))
  const react = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => /\/Comments[.-]/.test(name)).length,
    )
  assert.is(await react(), 0)
  assert.is(await page.locator('.comment').count(), 20)
  assert.ok(await page.getByRole('button', { name: 'Únete para comentar' }).isVisible())
  await page.getByRole('button', { name: 'Ver más' }).click()
  await commentOf(page, 'n.º 1.').waitFor()
  assert.is(await page.locator('.comment').count(), 25)
  assert.is(await page.getByRole('button', { name: 'Ver más' }).count(), 0)
  assert.ok((await react()) > 0)
})

comments('what is typed and clicked before the island is awake is not lost', async (t) => {
  const first = await open(t, t.ana)
  await write(first, 'De antes')
  const page = await openEmpty(t, t.ana)
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  await page.route(/\/Comments[.-][^/]*\.js/, (route) => allowed.then(() => route.continue()))
  await page.goto(t.server.url + t.dog.path)
  await field(page).fill('Escrito deprisa')
  await commentOf(page, 'De antes').getByRole('button', { name: 'Eliminar comentario' }).click()
  assert.is(await page.getByRole('alertdialog').count(), 0)
  allow()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar' }).click()
  await page.getByText('15/300').waitFor()
  await sendButton(page).click()
  await commentOf(page, 'Escrito deprisa').waitFor()
})

comments('without script the comments are there to read, and nothing pretends to work', async (t) => {
  const first = await open(t, t.ana)
  await write(first, 'Legible')
  const page = await open(t, t.ana, { ...DESKTOP, javaScriptEnabled: false })
  assert.ok(await commentOf(page, 'Legible').isVisible())
  assert.not(await field(page).isVisible())
  assert.not(await page.locator('.comment button').isVisible())
})

comments('passes axe with the question open or not', async (t) => {
  const page = await open(t, t.ana, { ...DESKTOP, reducedMotion: 'reduce' })
  await write(page, 'Hola')
  await field(page).fill('a'.repeat(301))
  await page.getByText('301/300').waitFor()
  const check = async () => {
    assert.equal(await axeFaultsInBothThemes(page), [])
  }
  await check()
  await page.getByRole('button', { name: 'Eliminar comentario' }).click()
  await page.getByRole('alertdialog').waitFor()
  await check()
})

comments(
  'the field grows with its text also where the engine lacks `field-sizing`, and shrinks once it is sent',
  async (t) => {
    const page = await openEmpty(t, t.ana, PHONE)
    await page.addInitScript(() => {
      const supports = CSS.supports.bind(CSS)
      CSS.supports = (name: string, value?: string) => name !== 'field-sizing' && supports(name, value!)
    })
    await page.goto(t.server.url + t.dog.path)
    await field(page).click()
    await field(page).evaluate((one) => one.style.setProperty('field-sizing', 'fixed'))
    const height = () => field(page).evaluate((one) => one.clientHeight)
    const before = await height()
    await field(page).fill('Qué bien se porta. '.repeat(10))
    await page.waitForFunction(() => {
      const one = document.querySelector('#comentario-texto')!
      return one.scrollHeight <= one.clientHeight
    })
    assert.ok((await height()) > before + 20)
    await sendButton(page).click()
    await commentOf(page, 'Qué bien se porta.').waitFor()
    assert.is(await height(), before)
  },
)
