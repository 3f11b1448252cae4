import type { Locator, Page } from 'playwright'
import { phonePhoto, quarteredPicture } from '#tests/support/photos/test-pictures.ts'

/** The dog form as a person sees it, for browser tests. */
export const dogForm = (page: Page): Locator => page.locator('dialog.df')

/** The pages that close the landings of stickers. */
const closing = new WeakSet<Page>()

/**
 * Opens the form from the page's own trigger and waits until it can be filled in. The sticker that lands after a member's save is closed
 * before the next action on the page, as a person would.
 */
export async function openAddForm(page: Page): Promise<Locator> {
  if (!closing.has(page))
    await page.addLocatorHandler(page.locator('dialog.landing[open]'), () => page.keyboard.press('Escape'))
  closing.add(page)
  await page.locator('[data-add-dog]:visible').first().click()
  await dogForm(page).locator('form').waitFor()
  return dogForm(page)
}

/** Opens the edit form by a trigger as the dog's page has one; the last call's trigger gives way to it. */
export async function openEditForm(page: Page, dogId: string): Promise<Locator> {
  await page.evaluate((id) => {
    document.querySelector('[data-edit-dog]')?.remove()
    const button = document.createElement('button')
    button.dataset.editDog = id
    button.textContent = 'Editar'
    document.querySelector('main')!.prepend(button)
  }, dogId)
  await page.locator('[data-edit-dog]').click()
  return dogForm(page)
}

/** Waits for the new dog's sticker to land after the form has closed, and closes it. */
export async function closeLanding(page: Page): Promise<void> {
  // A locator's wait would have it closed already (`openAddForm`).
  await page.waitForFunction(() => document.querySelector('dialog.landing[open]'))
  await page.keyboard.press('Escape')
  await page.locator('dialog.landing').waitFor({ state: 'detached' })
}

export interface ChosenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

const jpeg = (name: string, buffer: Buffer): ChosenFile => ({ name, mimeType: 'image/jpeg', buffer })

const smallPhoto = async (index: number): Promise<ChosenFile> =>
  jpeg(
    `foto-${index + 1}.jpg`,
    await quarteredPicture(640 + index * 20, 480)
      .jpeg()
      .toBuffer(),
  )
const drawn: Promise<ChosenFile>[] = []

/** Small photos, each of another width (640, 660, …), so that their order can be checked. */
export const smallPhotos = (count: number): Promise<ChosenFile[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => (drawn[index] ??= smallPhoto(index))))

/** One photo as a phone's camera makes it: 12 megapixels, some megabytes. */
export const cameraPhoto = async (): Promise<ChosenFile> => jpeg('IMG_0001.jpg', await phonePhoto())

/** Gives the form these files and waits until every one is ready. */
export async function attachPhotos(dialog: Locator, files: ChosenFile[]): Promise<void> {
  const tiles = dialog.locator('.df-gallery .df-tile img')
  const before = await tiles.count()
  await dialog.locator('input[type=file]').setInputFiles(files)
  await tiles.nth(before + files.length - 1).waitFor()
}

/** Takes out every photo. */
export async function removePhotos(dialog: Locator): Promise<void> {
  const first = dialog.getByRole('button', { name: 'Quitar foto 1', exact: true })
  for (let left = await dialog.locator('.df-gallery > li').count(); left > 0; left--) {
    await first.click()
    await dialog
      .locator('.df-gallery > li')
      .nth(left - 1)
      .waitFor({ state: 'detached' })
  }
}

/** Saves the form, with «No lo sé» where it asks for the breed. */
export async function submitForm(dialog: Locator): Promise<void> {
  const isAsked = (await dialog.locator('#df-breed').inputValue()) === ''
  await dialog.locator('.df-buttons [type=submit]').click()
  if (!isAsked) return
  const unknown = dialog.getByRole('button', { name: 'No lo sé' })
  await unknown.or(dialog.locator('.err')).first().waitFor()
  if (await unknown.isVisible()) await unknown.click()
}
