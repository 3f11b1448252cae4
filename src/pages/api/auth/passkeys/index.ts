export { registerPasskey as POST } from '#features/auth/passkeys/passkeys.http.ts'
