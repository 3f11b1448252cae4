import { authPaths } from '#features/auth/auth-paths.ts'
import { sendWithProof } from '#features/moderation/proof-of-work/with-proof.client.ts'
import { paths } from '#lib/paths.ts'
import { CHALLENGE_MINUTES, PASSKEY_TEXTS } from './passkeys.ts'

// The ceremonies of passkeys. Loaded with the first use of a button or of a page with a sign-in form (passkey-buttons.client.ts).

/** A failure with a sentence for a person. `asksForProof`: the member must confirm first who they are. */
class PasskeyFailure extends Error {
  readonly asksForProof: boolean
  constructor(sentence: string, asksForProof = false) {
    super(sentence)
    this.asksForProof = asksForProof
  }
}

type RequestJson = PublicKeyCredentialRequestOptionsJSON
type CreationJson = PublicKeyCredentialCreationOptionsJSON

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

/** @param purpose `register` for CreationJson, `sign-in` or `confirm` for RequestJson */
const fetchOptions = async <T>(purpose: string): Promise<T> =>
  (await post<{ options: T }>(authPaths.api.passkeyOptions, { for: purpose })).options

/** What is prefetched must not expire while the person looks at the browser's window. */
const keep = <T>(options: T) => ({ options, until: Date.now() + (CHALLENGE_MINUTES - 2) * 60_000 })
type Kept<T> = ReturnType<typeof keep<T>> | null
const optionsOf = <T>(kept: Kept<T>): T | null => (kept !== null && kept.until > Date.now() ? kept.options : null)

/** The options of the sign-in that the e-mail field offers; the button uses the same, which saves a round trip. */
let offered: Kept<RequestJson> = null
/** Those of a registration that came to nothing: the next press needs no other proof of work, after which some browsers want a press. */
let unused: Kept<CreationJson> = null

/** Whether the person has pressed a button: what the field offers must not take its ceremony's place. */
let hasBegun = false

let ceremony: AbortController | undefined
/** A browser has one ceremony at a time: the next one ends what the field offers. */
function nextCeremony(): AbortSignal {
  ceremony?.abort()
  ceremony = new AbortController()
  return ceremony.signal
}

type PasskeyJson = { id: string }
const toJson = (credential: Credential | null): PasskeyJson => (credential as PublicKeyCredential).toJSON()

async function askFor(options: RequestJson, mediation?: 'conditional'): Promise<PasskeyJson> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return toJson(await navigator.credentials.get({ publicKey, signal: nextCeremony(), ...(mediation && { mediation }) }))
}

/** Runs a ceremony of the browser. @throws PasskeyFailure */
async function run<T>(begin: () => Promise<T>, cancelled: string): Promise<T> {
  try {
    return await begin()
  } catch (error) {
    const { name } = error as Error
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyFailure(cancelled)
    if (name === 'InvalidStateError') throw new PasskeyFailure(PASSKEY_TEXTS.duplicate)
    if (name === 'NotSupportedError') throw new PasskeyFailure(PASSKEY_TEXTS.unsupported)
    console.error(error)
    throw new PasskeyFailure(PASSKEY_TEXTS.refused)
  }
}

/** Signs in with a passkey that the browser lets the person choose. @throws PasskeyFailure */
export async function signIn(): Promise<void> {
  hasBegun = true
  const prefetched = optionsOf(offered)
  offered = null
  const options = prefetched ?? (await fetchOptions<RequestJson>('sign-in'))
  await sendSignIn(await run(() => askFor(options), PASSKEY_TEXTS.cancelled), options.rpId)
}

async function sendSignIn(passkey: PasskeyJson, rpId: string | undefined): Promise<void> {
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
  if (rpId) void PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId }).catch(() => {})
}

/**
 * Offers passkeys where the browser fills in the e-mail field. Nothing is shown where it has none, or the person types their address.
 * @param fail receives the sentence of a passkey that was chosen and refused
 */
export async function offerInField(fail: (sentence: string) => void): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  let isChosen = false
  try {
    const options = await fetchOptions<RequestJson>('sign-in')
    if (hasBegun) return
    offered = keep(options)
    const passkey = await askFor(options, 'conditional')
    isChosen = true
    offered = null
    await sendSignIn(passkey, options.rpId)
  } catch (error) {
    // Without a chosen passkey there is nothing to say: the person went another way.
    if (isChosen && error instanceof PasskeyFailure) fail(error.message)
  }
}

/** Creates a passkey: for the member's account, or with a new account. @throws PasskeyFailure */
export async function register(): Promise<void> {
  hasBegun = true
  const signal = nextCeremony()
  const options = optionsOf(unused) ?? (await fetchOptions<CreationJson>('register'))
  if (unused?.options !== options) unused = keep(options)
  const create = async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    return toJson(await navigator.credentials.create({ publicKey, signal }))
  }
  const passkey = await run(create, PASSKEY_TEXTS.notCreated)
  unused = null
  await post(authPaths.api.passkeys, { passkey })
}

/** Confirms by a passkey who uses the session. @throws PasskeyFailure */
export async function confirm(): Promise<void> {
  const options = await fetchOptions<RequestJson>('confirm')
  const passkey = await run(() => askFor(options), PASSKEY_TEXTS.cancelled)
  await post(paths.api.confirm, { passkey })
}
