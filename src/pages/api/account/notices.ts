export { read as GET, save as PUT, saveByForm as POST } from '#features/account/notification-preferences.http.ts'
