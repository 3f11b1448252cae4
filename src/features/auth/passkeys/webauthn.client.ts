import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type * as z from 'zod/mini'
import type { passkeyOptionsAnswer } from '#features/auth/answers.ts'
import { authPaths } from '#features/auth/auth-paths.ts'
import { sendWithProof } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { paths } from '#lib/paths.ts'
import { CHALLENGE_MINUTES, PASSKEY_TEXTS } from './passkeys.ts'

// The ceremonies of passkeys. Loaded with the first use of a button or of a page with a sign-in form (passkey-buttons.client.ts).

/** A failure with a sentence for a person. `asksForProof`: the member must confirm first who they are. */
export class PasskeyFailure extends Error {
  readonly asksForProof: boolean
  constructor(sentence: string, asksForProof = false) {
    super(sentence)
    this.asksForProof = asksForProof
  }
}

type Options = z.output<typeof passkeyOptionsAnswer>['options']
type Purpose = 'register' | 'sign-in' | 'confirm'

/** @throws PasskeyFailure with the server's sentence */
async function post<T>(path: string, body: object): Promise<T> {
  const { status, body: answer } = await sendWithProof(async (headers) => {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body: JSON.stringify(body),
    }).catch(() => {
      throw new PasskeyFailure(PASSKEY_TEXTS.offline)
    })
    return { status: response.status, body: await response.json().catch(() => ({})) }
  })
  if (status < 300) return answer as T
  const { detail, errors } = answer as { detail?: string; errors?: { code?: string } }
  throw new PasskeyFailure(detail ?? PASSKEY_TEXTS.refused, status === 403 && errors?.code !== undefined)
}

const fetchOptions = async (purpose: Purpose): Promise<Options> =>
  (await post<z.output<typeof passkeyOptionsAnswer>>(authPaths.api.passkeyOptions, { for: purpose })).options

interface PrefetchedOptions {
  options: Options
  until: number
}

/** What is prefetched must not expire while the person looks at the browser's window. */
const keep = (options: Options): PrefetchedOptions => ({
  options,
  until: Date.now() + (CHALLENGE_MINUTES - 2) * 60_000,
})

/** The options of the sign-in that the e-mail field offers; the button uses the same, which saves a round trip. */
let offered: PrefetchedOptions | null = null
/** Those of a registration that came to nothing: the next press needs no other proof of work, after which some browsers want a press. */
let unused: PrefetchedOptions | null = null

const isGood = (prefetched: PrefetchedOptions | null): prefetched is PrefetchedOptions =>
  prefetched !== null && prefetched.until > Date.now()

async function signInOptions(): Promise<Options> {
  const prefetched = offered
  offered = null
  return isGood(prefetched) ? prefetched.options : fetchOptions('sign-in')
}

/** Whether the person has pressed a button: what the field offers must not take its ceremony's place. */
let hasBegun = false

/** Runs a ceremony of the browser. @throws PasskeyFailure */
async function run<T>(begin: () => Promise<T>, cancelled: string): Promise<T> {
  try {
    return await begin()
  } catch (error) {
    // The library wraps the browser's error, and keeps its name in the cause.
    const { name, cause } = error as Error
    const kind = (cause as Error | undefined)?.name ?? name
    if (kind === 'NotAllowedError' || kind === 'AbortError') throw new PasskeyFailure(cancelled)
    if (kind === 'InvalidStateError') throw new PasskeyFailure(PASSKEY_TEXTS.duplicate)
    if (kind === 'NotSupportedError') throw new PasskeyFailure(PASSKEY_TEXTS.unsupported)
    console.error(error)
    throw new PasskeyFailure(PASSKEY_TEXTS.refused)
  }
}

type RequestJson = Parameters<typeof startAuthentication>[0]['optionsJSON']
type CreationJson = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Signs in with a passkey that the browser lets the person choose. @throws PasskeyFailure */
export async function signIn(): Promise<void> {
  hasBegun = true
  const optionsJSON = (await signInOptions()) as unknown as RequestJson
  await sendSignIn(await run(() => startAuthentication({ optionsJSON }), PASSKEY_TEXTS.cancelled), optionsJSON.rpId)
}

async function sendSignIn(passkey: { id: string }, rpId: string | undefined): Promise<void> {
  try {
    await post(authPaths.api.passkeySignIn, { passkey })
  } catch (error) {
    if (error instanceof PasskeyFailure && error.message === PASSKEY_TEXTS.unknown) forget(passkey.id, rpId)
    throw error
  }
  location.assign(paths.profile)
}

/** Tells the device, where it listens, that a passkey opens nothing any more: it stops offering it. */
function forget(credentialId: string, rpId: string | undefined): void {
  const { PublicKeyCredential: api } = window as { PublicKeyCredential?: { signalUnknownCredential?: SignalUnknown } }
  if (rpId) void api?.signalUnknownCredential?.({ rpId, credentialId }).catch(() => {})
}
type SignalUnknown = (what: { rpId: string; credentialId: string }) => Promise<void>

/**
 * Offers passkeys where the browser fills in the e-mail field. Nothing is shown where it has none, or the person types their address.
 * @param fail receives the sentence of a passkey that was chosen and refused
 */
export async function offerInField(fail: (sentence: string) => void): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return
  let isChosen = false
  try {
    const options = await fetchOptions('sign-in')
    if (hasBegun) return
    offered = keep(options)
    const optionsJSON = options as unknown as RequestJson
    const passkey = await startAuthentication({ optionsJSON, useBrowserAutofill: true })
    isChosen = true
    offered = null
    await sendSignIn(passkey, optionsJSON.rpId)
  } catch (error) {
    // Without a chosen passkey there is nothing to say: the person went another way.
    if (isChosen && error instanceof PasskeyFailure) fail(error.message)
  }
}

/** Creates a passkey: for the member's account, or with a new account. @throws PasskeyFailure */
export async function register(): Promise<void> {
  hasBegun = true
  WebAuthnAbortService.cancelCeremony()
  unused = isGood(unused) ? unused : keep(await fetchOptions('register'))
  const optionsJSON = unused.options as unknown as CreationJson
  const passkey = await run(() => startRegistration({ optionsJSON }), PASSKEY_TEXTS.notCreated)
  unused = null
  await post(authPaths.api.passkeys, { passkey })
}

/** Confirms by a passkey who uses the session. @throws PasskeyFailure */
export async function confirm(): Promise<void> {
  const optionsJSON = (await fetchOptions('confirm')) as unknown as RequestJson
  const passkey = await run(() => startAuthentication({ optionsJSON }), PASSKEY_TEXTS.cancelled)
  await post(paths.api.confirm, { passkey })
}
