export { list as GET, endAll as DELETE, endAll as POST } from '#features/account/sessions.http.ts'
