export { getNotifications as GET } from '#features/notifications/notifications.http.ts'
