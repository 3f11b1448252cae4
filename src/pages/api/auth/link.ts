export { link as POST } from '#features/auth/auth.http.ts'
