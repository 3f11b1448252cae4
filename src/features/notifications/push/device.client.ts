import { paths } from '#lib/paths.ts'
import type { PushState } from './push.ts'
import { pushSupport } from './browser-support.ts'

/** `none`: the server sends nothing, so there is nothing to offer. */
export type DeviceState = 'none' | 'no' | 'ios' | 'denied' | 'off' | 'on'

/** How long a worker may take to be there, or the server to answer, ms. */
const TIMEOUT_MS = 10_000

async function callPushApi(method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<Response> {
  const headers = { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) }
  const init = { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS), ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(paths.api.push, init)
  if (!response.ok) throw new Error(`${method} ${paths.api.push} answered ${response.status}`)
  return response
}
const fetchPushState = async () => (await (await callPushApi('GET')).json()) as PushState

const findSubscription = async () =>
  (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null

/** Whether this browser shows notices, as far as it, the person and the server go along. @throws what failed */
export async function readDeviceState(): Promise<DeviceState> {
  const { userAgent, maxTouchPoints: touchPoints } = navigator
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  const support = pushSupport({ canPush, userAgent, touchPoints })
  const { key, endpoint } = await fetchPushState()
  if (!key) return 'none'
  if (support !== 'yes') return support
  if (Notification.permission === 'denied') return 'denied'
  const own = await findSubscription()
  return own !== null && own.endpoint === endpoint && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Asks the person, the browser and the server. Call it in a press: browsers ask only then. @throws what failed */
export async function turnOn(): Promise<DeviceState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  const { key } = await fetchPushState()
  if (!key) return 'none'
  const { pushManager } = await waitForWorker()
  const before = await pushManager.getSubscription()
  // One made for other keys of the server's is no use to it.
  if (before && !usesServerKey(before, key)) await before.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  try {
    await callPushApi('POST', subscription.toJSON())
    return 'on'
  } catch (error) {
    await subscription.unsubscribe().catch(() => {})
    throw error
  }
}

/** The server stops first: what the browser alone forgot would still be sent for a while. @throws what failed */
export async function turnOff(): Promise<DeviceState> {
  await callPushApi('DELETE')
  await (await findSubscription())?.unsubscribe().catch(() => {})
  return 'off'
}

function waitForWorker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, fail) => setTimeout(() => fail(new Error('no service worker')), TIMEOUT_MS))
  return Promise.race([navigator.serviceWorker.ready, late])
}

function usesServerKey({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key
}
