export { requestMagicLink as POST } from '#features/auth/sign-in/sign-in.http.ts'
