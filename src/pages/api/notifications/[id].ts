export { read as PATCH } from '#features/notifications/notifications.http.ts'
