export { magicLink as POST } from '#features/auth/auth.http.ts'
