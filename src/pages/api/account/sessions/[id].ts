export { endOne as DELETE, endOne as POST } from '#features/account/sessions.http.ts'
