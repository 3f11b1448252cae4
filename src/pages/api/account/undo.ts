export { undoChange as POST } from '#features/auth/email-change/email-change.http.ts'
