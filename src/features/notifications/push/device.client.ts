import { paths } from '#lib/paths.ts'
import type { PushState } from './push.ts'
import { pushSupport } from './browser-support.ts'

/** `none`: the server sends no push messages, so the switch is hidden. */
export type DeviceState = 'none' | 'no' | 'ios' | 'denied' | 'off' | 'on'

/** The timeout for the service worker to be ready, and for the server's answer, ms. */
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

/** The state of notifications in this browser: its support, the permission, and the server's subscription. @throws what failed */
export async function readDeviceState(): Promise<DeviceState> {
  const { userAgent, maxTouchPoints: touchPoints } = navigator
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  const support = pushSupport({ canPush, userAgent, touchPoints })
  const { key, endpoint } = await fetchPushState()
  if (!key) return 'none'
  if (support !== 'yes') return support
  if (Notification.permission === 'denied') return 'denied'
  const subscription = await findSubscription()
  return subscription !== null && subscription.endpoint === endpoint && Notification.permission === 'granted'
    ? 'on'
    : 'off'
}

/** Requests permission and subscribes. Call it in a click handler: browsers ask only then. @throws what failed */
export async function turnOn(): Promise<DeviceState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  const { key } = await fetchPushState()
  if (!key) return 'none'
  const { pushManager } = await waitForWorker()
  const existing = await pushManager.getSubscription()
  // The server cannot use a subscription for other keys.
  if (existing && !usesServerKey(existing, key)) await existing.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  try {
    await callPushApi('POST', subscription.toJSON())
    return 'on'
  } catch (error) {
    await subscription.unsubscribe().catch(() => {})
    throw error
  }
}

/** Unsubscribes at the server first: after the browser alone, messages would still be sent for a while. @throws what failed */
export async function turnOff(): Promise<DeviceState> {
  await callPushApi('DELETE')
  await (await findSubscription())?.unsubscribe().catch(() => {})
  return 'off'
}

function waitForWorker(): Promise<ServiceWorkerRegistration> {
  const timeout = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('no service worker')), TIMEOUT_MS),
  )
  return Promise.race([navigator.serviceWorker.ready, timeout])
}

function usesServerKey({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key
}
