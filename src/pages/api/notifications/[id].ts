export { read as PATCH, readForm as POST } from '#features/notifications/notifications.http.ts'
