export { readAll as POST } from '#features/notifications/notifications.http.ts'
