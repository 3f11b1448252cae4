export { submitLink as POST } from '#features/auth/sign-in/sign-in.http.ts'
