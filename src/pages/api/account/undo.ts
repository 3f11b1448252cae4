export { undoChange as POST } from '#features/auth/dispute/links.http.ts'
