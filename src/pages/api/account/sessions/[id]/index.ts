export { endSession as DELETE, endSession as POST } from '#features/account/sessions.http.ts'
