export { getMessages as GET, postMessageTo as POST } from '#features/contact/messages.http.ts'
