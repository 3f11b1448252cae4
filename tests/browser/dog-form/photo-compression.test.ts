import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import sharp from 'sharp'
import type { compressPhoto } from '#features/photos/photos.client.ts'
import type { sendForm } from '#features/photos/upload.client.ts'
import { launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { serveBundle } from '#tests/support/browser/bundle.ts'
import { cameraFiles } from '#tests/support/photos/camera-files.ts'
import { phonePhoto, quarteredPicture } from '#tests/support/photos/test-pictures.ts'
import { waitUntilQuiet, watchRequests } from '#tests/support/browser/requests.ts'
import { assert, suite } from '#tests/support/suites.ts'

declare global {
  var photos: { compressPhoto: typeof compressPhoto; sendForm: typeof sendForm }
}

const HTML = `<!doctype html><title>photos</title><input type="file"><img id="early" src="/lost.jpg" srcset="/lost.jpg 2x">
<script type="module">
  import '#features/photos/image-fallback.client.ts'
  import { compressPhoto } from '#features/photos/photos.client.ts'
  import { sendForm } from '#features/photos/upload.client.ts'
  window.photos = { compressPhoto, sendForm }
</script>`

const bundle = await serveBundle(HTML, (req, res) => {
  if (req.method === 'GET') return false
  if (req.url === '/cut') return Boolean(req.socket.destroy())
  let size = 0
  req.on('data', (chunk) => (size += chunk.length))
  req.on('end', () =>
    res
      .writeHead(req.url === '/text' ? 500 : 201)
      .end(req.url === '/text' ? '<h1>' : JSON.stringify({ size, key: req.headers['idempotency-key'] })),
  )
  return true
})
const browser = await launchBrowser()
/** What the page asked of anybody else. */
const elsewhere: string[] = []

const photos = suite<{ page: Page }>('photos in the browser')
photos.before(async (t) => {
  const context = await openContext(browser)
  await context.route(/.*/, (route) => {
    const url = route.request().url()
    if (url.startsWith(bundle.url) || /^(blob|data):/.test(url)) return route.continue()
    elsewhere.push(url)
    return route.abort()
  })
  t.page = await context.newPage()
  await t.page.goto(bundle.url)
  await t.page.waitForFunction(() => 'photos' in window)
})
photos.after.each(() => assert.equal(elsewhere, []))

const DAMAGED = 'La foto está dañada o incompleta. Prueba con otra.'

/** What the page makes of a file somebody picked: its bytes, or the sentence shown. */
async function compress(page: Page, name: string, mimeType: string, buffer: Buffer) {
  await page.setInputFiles('input', { name, mimeType, buffer })
  const result = await page.evaluate(async () => {
    try {
      const file = await window.photos.compressPhoto(document.querySelector('input')!.files![0]!)
      const binary = Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte)).join('')
      return { name: file.name, type: file.type, base64: btoa(binary) }
    } catch (error) {
      return { sentence: (error as Error).message }
    }
  })
  return { sentence: undefined, ...result, data: Buffer.from(result.base64 ?? '', 'base64') }
}

photos('a 12-megapixel photo is made small', async ({ page }) => {
  const { type, data } = await compress(page, 'foto.jpg', 'image/jpeg', await phonePhoto())
  assert.is(type, 'image/jpeg')
  const { width, height } = await sharp(data).metadata()
  assert.equal([width, height], [800, 600])
  assert.ok(data.length <= 0.2 * 1024 * 1024, `${data.length} bytes`)
  assert.not(
    bundle.requests.some((path) => path.includes('heic')),
    'the HEIC decoder is not for everyone',
  )
})

// Browsers turn some formats by themselves.
photos('a turned photo arrives upright, of every format', async ({ page }) => {
  for (const format of ['jpeg', 'webp', 'png', 'avif'] as const)
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const file = await quarteredPicture(120, 90).withMetadata({ orientation }).toFormat(format).toBuffer()
      const { data } = await compress(page, 'foto', `image/${format}`, file)
      const [made, upright] = await Promise.all(
        [sharp(data), sharp(file).autoOrient()].map((picture) =>
          picture.resize(2, 2, { fit: 'fill' }).raw().toBuffer(),
        ),
      )
      assert.ok(
        made!.every((value, at) => Math.abs(value - upright![at]!) < 80),
        `${format} ${orientation}`,
      )
    }
})

photos('a transparent PNG gets a white ground', async ({ page }) => {
  const clear = sharp({ create: { width: 900, height: 900, channels: 4, background: '#0000' } })
  const { data, type } = await compress(page, 'dibujo.png', 'image/png', await clear.png().toBuffer())
  assert.is(type, 'image/jpeg')
  assert.equal(
    [...(await sharp(data).extract({ left: 9, top: 9, width: 1, height: 1 }).raw().toBuffer())],
    [255, 255, 255],
  )
})

photos("an iPhone's HEIC becomes JPEG here, whatever type the system gives it", async ({ page }) => {
  const heic = readFileSync(join(import.meta.dirname, '../../support/photos/fixtures/quarters.heic'))
  for (const mimeType of ['image/heic', '']) {
    const { name, type, data, ...rest } = await compress(page, 'IMG_0001.HEIC', mimeType, heic)
    assert.equal([name, type], ['IMG_0001.jpg', 'image/jpeg'], JSON.stringify(rest))
    const { data: pixel } = await sharp(data)
      .extract({ left: 20, top: 20, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.ok(pixel[0]! > 200 && pixel[1]! < 60 && pixel[2]! < 60, 'red in the upper left')
  }
})

// Cut anywhere, of every kind: tests/unit/photos/truncated-files.
photos('what was cut short is refused and not filled up with white, of every format', async ({ page }) => {
  const grainy = sharp(await phonePhoto(800, 600))
  const files: Record<string, Buffer> = {
    'image/heic': readFileSync(join(import.meta.dirname, '../../support/photos/fixtures/quarters.heic')),
    'image/avif': await grainy.clone().resize(400).avif({ effort: 0 }).toBuffer(),
    'image/gif': await grainy.clone().resize(400).gif().toBuffer(),
  }
  for (const format of ['jpeg', 'png', 'webp'] as const)
    files[`image/${format}`] = await grainy.clone().toFormat(format).toBuffer()
  for (const [type, bytes] of Object.entries(files)) {
    const cut = bytes.subarray(0, Math.floor(bytes.length * 0.6))
    assert.is((await compress(page, 'foto', type, cut)).sentence, DAMAGED, type)
    const { data, ...rest } = await compress(page, 'foto', type, bytes)
    assert.is((await sharp(data).metadata()).format, 'jpeg', `${type}, whole: ${JSON.stringify(rest)}`)
  }
})

photos("a camera's files with more in them than one picture are taken", async ({ page }) => {
  const [photo, second] = [await phonePhoto(800, 600), await quarteredPicture().jpeg().toBuffer()]
  const files = { ...(await cameraFiles()), 'second picture behind': Buffer.concat([photo, second, Buffer.alloc(99)]) }
  for (const [name, bytes] of Object.entries(files)) {
    const { data, sentence } = await compress(page, name, name === 'HEIC' ? 'image/heic' : 'image/jpeg', bytes)
    assert.is(sentence, undefined, name)
    assert.is((await sharp(data).metadata()).format, 'jpeg', name)
  }
})

photos('an animated AVIF becomes its first picture', async ({ page }) => {
  const animated = readFileSync(join(import.meta.dirname, '../../support/photos/fixtures/animated.avif'))
  const { data, type } = await compress(page, 'baile.avif', 'image/avif', animated)
  assert.is(type, 'image/jpeg')
  const pixel = await sharp(data).extract({ left: 20, top: 20, width: 1, height: 1 }).raw().toBuffer()
  assert.ok(pixel[0]! > 240 && pixel[1]! > 100 && pixel[1]! < 140 && pixel[2]! > 240, `pink: ${[...pixel].join()}`)
})

photos('a HEIC that nothing can read says what to do', async ({ page }) => {
  const { sentence } = await compress(
    page,
    'IMG_0002.heic',
    'image/heic',
    Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
  )
  assert.is(
    sentence,
    'No podemos leer fotos HEIC. En el iPhone, elige «Más compatible» en Ajustes › Cámara › Formatos, o guarda la foto como JPEG y vuelve a subirla.',
  )
})

photos('the bytes decide what a file is, not its name or type', async ({ page }) => {
  const jpeg = await quarteredPicture(600, 400).jpeg().toBuffer()
  for (const type of ['', 'image/mpo', 'image/bmp', 'text/plain'])
    assert.is((await compress(page, 'sin-extension', type, jpeg)).sentence, undefined, type)
  for (const other of [
    '',
    'hola',
    `BM${'\0'.repeat(60)}`,
    '<svg xmlns="http://www.w3.org/2000/svg" />',
    '\xff\x0a'.padEnd(60),
  ])
    assert.is(
      (await compress(page, 'foto.jpg', 'image/jpeg', Buffer.from(other, 'latin1'))).sentence,
      'El archivo no es una foto que podamos leer. Usa una imagen JPEG, PNG, WebP, AVIF o GIF.',
    )
})

photos('an HDR picture goes to the server, which shows it on every screen', async ({ page }) => {
  const hdr = readFileSync(join(import.meta.dirname, '../../support/photos/fixtures/hdr.avif'))
  assert.ok((await compress(page, 'hdr.avif', 'image/avif', hdr)).data.equals(hdr))
})

photos('a private browser whose canvas gives noise sends the original', async () => {
  const context = await openContext(browser)
  await context.addInitScript(() => {
    const { convertToBlob } = OffscreenCanvas.prototype
    OffscreenCanvas.prototype.convertToBlob = function (options) {
      this.getContext('2d')!.fillRect(0, 0, 3, 1)
      return convertToBlob.call(this, options)
    }
  })
  const page = await context.newPage()
  await page.goto(bundle.url)
  await page.waitForFunction(() => 'photos' in window)
  const photo = await phonePhoto(1600, 1200)
  const { data, type } = await compress(page, 'foto.jpg', '', photo)
  assert.equal([type, data.equals(photo)], ['image/jpeg', true])
  await context.close()
})

photos('what this browser cannot shrink goes as it is, unless it is too heavy', async ({ page }) => {
  // All there, but of a depth that no PNG has.
  const odd = await quarteredPicture(600, 600).png().toBuffer()
  odd[24] = 77
  const sent = await compress(page, 'rota.png', 'image/png', odd)
  assert.ok(sent.data.equals(odd), sent.sentence)
  const heavy = Buffer.concat([odd, Buffer.alloc(4 * 1024 * 1024)])
  assert.is(
    (await compress(page, 'rota.png', 'image/png', heavy)).sentence,
    'La foto pesa demasiado: como máximo, 4 MB.',
  )
})

photos('a form is sent with progress and its answer read', async ({ page }) => {
  const sent = await page.evaluate(async () => {
    const form = new FormData()
    form.append('images', new File([new Uint8Array(300_000)], 'a.jpg'))
    const shares: number[] = []
    const answer = await window.photos.sendForm('POST', '/api', form, {
      onProgress: (share) => shares.push(share),
      headers: { 'Idempotency-Key': 'k1' },
    })
    return { answer, last: shares.at(-1) }
  })
  assert.is(sent.last, 1)
  assert.is(sent.answer.status, 201)
  const { size, key } = sent.answer.body as { size: number; key: string }
  assert.ok(size > 300_000)
  assert.is(key, 'k1')
})

photos('an answer that is no JSON, a lost server and a cancelled upload are told apart', async ({ page }) => {
  const outcomes = await page.evaluate(async () => {
    const form = new FormData()
    const stop = new AbortController()
    const cancelled = window.photos
      .sendForm('POST', '/api', form, { signal: stop.signal })
      .catch((error: Error) => error.name)
    stop.abort()
    return [
      await window.photos.sendForm('POST', '/text', form),
      await window.photos.sendForm('POST', '/cut', form).catch((error: Error) => error.message),
      await cancelled,
      await window.photos.sendForm('POST', '/api', form, { signal: stop.signal }).catch((error: Error) => error.name),
    ]
  })
  assert.equal(outcomes, [
    { status: 500, body: null },
    'No se pudo conectar con el servidor.',
    'AbortError',
    'AbortError',
  ])
})

photos('a broken image becomes the placeholder, also one inserted later', async ({ page }) => {
  const shown = (id: string) =>
    page.waitForFunction((id) => {
      const image = document.getElementById(id) as HTMLImageElement | null
      return image?.naturalWidth && new URL(image.currentSrc).pathname
    }, id)
  assert.is(await (await shown('early')).jsonValue(), '/placeholder.svg')
  await page.evaluate(() =>
    document.body.insertAdjacentHTML(
      'beforeend',
      '<picture><source srcset="/lost.avif"><img id="late" src="/lost2.jpg"></picture>',
    ),
  )
  assert.is(await (await shown('late')).jsonValue(), '/placeholder.svg')
})

photos('a placeholder that is lost itself is asked for once', async ({ page }) => {
  await page.route('**/placeholder.svg', (route) => route.fulfill({ status: 404 }))
  const requests = watchRequests(page)
  await page.reload()
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('#early')?.src.endsWith('placeholder.svg'))
  await waitUntilQuiet(page, requests)
  assert.is(requests.urls.filter((url) => url.endsWith('placeholder.svg')).length, 1)
})

photos.after(async () => {
  await browser.close()
  await bundle.dispose()
})
