import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { DESKTOP, launchBrowser, openContext } from '#tests/support/browser/chromium.ts'
import { useSession } from '#tests/support/members.ts'
import { type TwoMembers, createTwoMembers, disableQuietHours } from './two-members.ts'
import { type PushStub, startPushStub } from '#tests/support/stubs/push-service.ts'
import { openContextWithWorker } from '#tests/support/browser/service-worker.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { suite } from '#tests/support/suites.ts'

// Only the browser's PushManager is stubbed: it hands out addresses of a local push service, which receives what the
// server really encrypts. What it decrypts goes to the real worker by the browser's own debugging protocol.

export interface PushWorld extends TwoMembers {
  server: TestServer
  browser: Browser
  stub: PushStub
}

/** A suite over one server, one whole browser and one push service; each test gets new neighbours. */
export function pushSuite(name: string) {
  const push = suite<PushWorld>(name)
  push.before(async (t) => {
    t.stub = await startPushStub()
    t.server = await startServer({ PUSH_HOSTS: t.stub.host })
    t.browser = await launchBrowser(true)
  })
  push.after(async ({ server, browser, stub }) => {
    await browser.close()
    stub.stop()
    await server.dispose()
  })
  push.before.each(async (t) => {
    Object.assign(t, await createTwoMembers(t.server))
    await disableQuietHours(t.server, t.ana)
  })
  push.after.each(async ({ browser }) => {
    for (const context of browser.contexts()) await context.close()
  })
  return push
}

export const bellButton = (page: Page) => page.locator('[data-bell]')
export const deviceSwitch = (page: Page) => page.getByRole('switch', { name: 'Avisos en este dispositivo' })
export const pushHint = (page: Page) => page.locator('#np-push-hint')

/** Ana's browser, whose PushManager keeps what it handed out, as a real one does over a reload. */
export async function openDevice(
  t: PushWorld,
  { worker = false, ...options }: BrowserContextOptions & { worker?: boolean } = {},
) {
  const context = await (worker ? openContextWithWorker : openContext)(t.browser, {
    reducedMotion: 'reduce',
    ...DESKTOP,
    ...options,
  })
  await useSession(context, t.server, t.ana)
  await context.grantPermissions(['notifications'], { origin: t.server.url })
  const device = t.stub.device(`navegador-${t.ana.id}`)
  await context.addInitScript((device) => {
    const HELD = 'prueba-push'
    const make = (key: string) => ({
      endpoint: device.endpoint,
      options: {
        applicationServerKey: Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
          c.charCodeAt(0),
        ).buffer,
      },
      toJSON: () => ({ ...device, expirationTime: null }),
      unsubscribe: async () => {
        localStorage.removeItem(HELD)
        return true
      },
    })
    const held = () => localStorage.getItem(HELD)
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (held() ? make(held()!) : null),
      subscribe: async (options: { userVisibleOnly: boolean; applicationServerKey: string }) => {
        if (!options.userVisibleOnly) throw new Error('userVisibleOnly')
        localStorage.setItem(HELD, options.applicationServerKey)
        return make(options.applicationServerKey)
      },
    })
  }, device)
  const page = await context.newPage()
  return { context, page }
}
