export { signOut as POST } from '#features/auth/auth.http.ts'
