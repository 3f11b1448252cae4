export { reportMessageTo as POST } from '#features/contact/messages.http.ts'
