export { list as GET } from '#features/notifications/notifications.http.ts'
