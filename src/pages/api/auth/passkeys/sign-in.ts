export { signInWithPasskey as POST } from '#features/auth/passkeys/passkeys.http.ts'
